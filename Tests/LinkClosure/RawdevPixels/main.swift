import Containers
import DisplayOutput
import Formats
import HDRRender
import ImageCore
import ImageFilters
