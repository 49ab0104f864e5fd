import BracketMerge
import RawFilter
