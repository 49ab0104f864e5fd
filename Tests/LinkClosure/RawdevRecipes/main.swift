import Develop
import Recipes
import Remux
