// What a program needs to open a picture, adjust, render and write it, by one import.

@_exported public import BracketMerge
@_exported public import DisplayOutput
@_exported public import Export
@_exported public import Formats
@_exported public import HDRRender
@_exported public import ImageCore
@_exported public import ImageFilters
@_exported public import PictureLoading
@_exported public import RawFilter
@_exported public import Readers
@_exported public import Writers
