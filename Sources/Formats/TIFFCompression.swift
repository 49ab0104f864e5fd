/// Compression of TIFF strips; all are lossless, after a predictor (2 for integers, 3 for floats).
public enum TIFFCompression: Sendable, Hashable {
  /// Uncompressed.
  case none
  /// zlib; every reader supports it. Level 1 is the best choice for photographs.
  case deflate(level: Int)
  /// Zstandard; many times as fast, but only libtiff-based programs read it.
  case zstd(level: Int)
  /// LZW, for old readers; 16-bit photographs grow.
  case lzw

  /// Its level, the allowed levels and its name; nil without levels.
  package var levels: (level: Int, taken: ClosedRange<Int>, name: String)? {
    switch self {
    case .none, .lzw: nil
    case .deflate(let level): (level, 1...12, "deflate")
    case .zstd(let level): (level, 1...19, "Zstandard")
    }
  }
}
