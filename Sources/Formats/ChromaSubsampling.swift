/// How many color differences a HEIF, AVIF or JPEG keeps. The raw value is the name in recipes and
/// on the command line.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
  /// One of each for four pixels; what hardware decoders take.
  case yuv420 = "420"
  /// One of each for every pixel.
  case yuv444 = "444"
}
