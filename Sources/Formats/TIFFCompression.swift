/// How strips of a TIFF are packed; all are lossless. Differences of neighbors are taken first
/// (predictor 2 for integers, 3 for floats).
public enum TIFFCompression: Sendable, Hashable {
  /// Not at all.
  case none
  /// zlib, level 1…12; read by everything. Level 1 is the best choice for photographs.
  case deflate(level: Int)
  /// Zstandard, level 1…19; many times as fast, but read by libtiff-based programs only.
  case zstd(level: Int)
  /// LZW, for old readers; 16-bit photographs grow.
  case lzw
}
