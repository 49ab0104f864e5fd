import Rawdev
