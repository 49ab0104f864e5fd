/// Compression of an OpenEXR file; all are lossless. The raw value is the name in recipes and on
/// the command line. The lossy ones, DWAA and DWAB, are not offered: the C core of OpenEXR 3.1
/// cannot write them.
public enum EXRCompression: String, Sendable, Hashable, Codable, CaseIterable {
  /// None: largest.
  case none
  /// zlib, each line by itself: for programs that read single lines.
  case zips
  /// zlib, 16 lines together: small, fast to read.
  case zip
  /// Wavelets, 32 lines together: smallest for pictures with noise.
  case piz
}
