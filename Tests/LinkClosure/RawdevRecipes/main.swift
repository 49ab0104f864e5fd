import Develop
import Recipes
import Remux
import Tuning
