import CWebP
package import Containers
package import ImageCore

/// The owner of libwebp's decoder of one picture, 8 bits, which is fed the file in chunks, so that
/// it can be cancelled in between.
@safe package final class WebPDecoder {
  /// What the header says.
  package struct Info: Sendable, Hashable {
    package let size: PixelSize
    package let hasAlpha, isAnimation: Bool
    /// Maximum working memory of libwebp besides the result: lossless pictures are decoded to one
    /// word per pixel.
    package var workingBytes: Int { 5 * size.area }
  }

  /// Bytes of the file that are decoded before it is asked whether to go on.
  private static let chunk = 1 << 16

  /// Nil for what is no WebP.
  package static func info(_ file: FileBytes) -> Info? {
    var features = WebPBitstreamFeatures()
    let bytes = unsafe file.buffer.bindMemory(to: UInt8.self)
    guard unsafe WebPGetFeatures(bytes.baseAddress, bytes.count, &features) == VP8_STATUS_OK else {
      return nil
    }
    return Info(
      size: PixelSize(width: Int(features.width), height: Int(features.height)),
      hasAlpha: features.has_alpha != 0, isAnimation: features.has_animation != 0)
  }

  /// Decodes `file` to rows of RGB, or RGBA, `stride` bytes apart; colors are not premultiplied.
  /// Returns the number of rows that are there: all of them of a file that is whole alone.
  package static func decode(
    _ file: FileBytes, size: PixelSize, isRGBA: Bool, stride: Int,
    into rows: UnsafeMutablePointer<UInt8>
  ) throws(FormatError) -> Int {
    let decoder = unsafe WebPINewRGB(
      isRGBA ? MODE_RGBA : MODE_RGB, rows, stride * size.height, Int32(clamping: stride))
    guard let decoder = unsafe decoder else {
      throw FormatError(.tooLarge, "libwebp has not enough memory to decode it; reduce the picture")
    }
    defer { unsafe WebPIDelete(decoder) }
    let bytes = unsafe file.buffer.bindMemory(to: UInt8.self)
    var count = 0
    reading: while count < bytes.count {
      count = min(count + chunk, bytes.count)
      try file.checkReading()
      switch unsafe WebPIUpdate(decoder, bytes.baseAddress, count) {
      case VP8_STATUS_OK: return size.height
      case VP8_STATUS_SUSPENDED: continue
      default: break reading
      }
    }
    var last: Int32 = 0
    guard unsafe WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil else { return 0 }
    return min(Int(last), size.height - 1)
  }
}
