import Remux
