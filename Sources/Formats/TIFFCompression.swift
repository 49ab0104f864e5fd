/// Compression of TIFF strips; all are lossless, after a predictor (2 for integers, 3 for floats).
public enum TIFFCompression: Sendable, Hashable {
  /// Uncompressed.
  case none
  /// zlib, level 1…12; every reader supports it. Level 1 is the best choice for photographs.
  case deflate(level: Int)
  /// Zstandard, level 1…19; many times as fast, but only libtiff-based programs read it.
  case zstd(level: Int)
  /// LZW, for old readers; 16-bit photographs grow.
  case lzw
}
