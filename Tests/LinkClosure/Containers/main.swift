import Containers
