/// How many color differences a HEIF, AVIF or JPEG keeps.
public enum ChromaSubsampling: Sendable, Hashable {
  /// One of each for four pixels; what hardware decoders take.
  case yuv420
  /// One of each for every pixel.
  case yuv444
}
