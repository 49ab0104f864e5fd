import RawFilter
