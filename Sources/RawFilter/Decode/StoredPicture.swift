import ImageCore

/// A picture as a TIFF or DNG directory stores it, of whatever use: raw, matte, depth. What the decoders
/// need to know of it besides its bytes.
struct StoredPicture: Sendable {
  let storage: RawStorage
  /// Whether the file stores its numbers most significant byte first.
  let bigEndian: Bool
  /// The part that is wanted.
  var area: PixelRect
  /// LinearizationTable; empty for none.
  var table: [UInt16] = []
  /// Whether numbers go through `table`; when not, it only tells what JPEG XL codes are.
  var appliesTable = true
  /// The highest WhiteLevel; nil when not given.
  var white: Double?
  /// Whether 16-bit lossless JPEG has Adobe's mistake of files before DNG 1.1.
  var hasExtendedDifferences = false

  /// The samples of ``area``, row by row, samples of a pixel side by side: counts of integers up to
  /// 16 bits, else floats.
  func decode(_ file: FileBytes, workers: Int = Parallel.defaultWorkers) throws(RAWError)
    -> RawSamples
  {
    throw RAWError(.unsupported, .decode, "this storage is not supported", path: file.path)
  }
}
