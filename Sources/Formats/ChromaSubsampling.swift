/// Chroma subsampling of a HEIF, AVIF or JPEG. The raw value is the name in recipes and on the
/// command line.
public enum ChromaSubsampling: String, Sendable, Hashable, Codable, CaseIterable {
  /// One Cb and one Cr sample for four pixels; supported by hardware decoders.
  case yuv420 = "420"
  /// One Cb and one Cr sample for every pixel.
  case yuv444 = "444"
}
