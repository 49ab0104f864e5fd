/// Chroma subsampling of a coded picture; the raw value is chroma_format_idc of H.265.
package enum ChromaFormat: UInt8, Sendable {
  /// No chroma: a picture of one channel.
  case monochrome = 0
  /// One Cb and one Cr sample for four pixels.
  case yuv420 = 1
  /// One Cb and one Cr sample for every pixel.
  case yuv444 = 3
}
