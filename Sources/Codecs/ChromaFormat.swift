/// How many color differences a coded picture has; the raw value is chroma_format_idc of H.265.
package enum ChromaFormat: UInt8, Sendable {
  /// None: a picture of one channel.
  case monochrome = 0
  /// One of each for four pixels.
  case yuv420 = 1
  /// One of each for every pixel.
  case yuv444 = 3
}
