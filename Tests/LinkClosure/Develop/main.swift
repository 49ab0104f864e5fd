import Develop
