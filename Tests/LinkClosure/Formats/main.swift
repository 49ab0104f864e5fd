import Formats
