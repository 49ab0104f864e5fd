import Containers
import ImageCore

extension DecodeLimits {
  /// The failure of a picture of more than `maxPixels`.
  func tooManyPixels(_ size: PixelSize) -> FormatError {
    FormatError(
      .tooLarge, "\(size) is more than the limit of \(maxPixels) pixels; raise the limit",
      remedies: [.allowMemory])
  }

  /// Maximum total pixels of a picture's tiles, which are decoded in full: not much more than the
  /// picture, or a few large tiles for a small one.
  static func maxTiledPixels(_ picture: PixelSize) -> Int { max(4 * picture.area, 1 << 26) }

  /// Throws when a picture of this size has too many pixels or too long a side.
  func allow(_ size: PixelSize) throws(FormatError) {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= maxPixels else { throw tooManyPixels(size) }
    try allowSides(size)
  }

  /// Throws when a picture of this size and format exceeds the limits together with `beside` bytes
  /// in memory, or needs more samples than `file` can hold at `ratio` samples a byte.
  func allow(
    _ size: PixelSize, channels: Int, _ format: DecodedSamples.Format, file: FileBytes, ratio: Int,
    beside: Int = 0
  ) throws(ReadError) {
    func product(_ a: Int, _ b: Int) -> Int {
      let (value, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? Int.max : value
    }
    let pixels = product(size.width, size.height)
    guard size.width > 0, size.height > 0 else {
      throw ReadError(.damaged, "the picture has no pixels; copy it again", path: file.path)
    }
    do throws(FormatError) { try allow(size) } catch { throw ReadError(error, path: file.path) }
    let samples = product(pixels, channels)
    let bytes = DecodedSamples.bytes(size, channels: channels, format)
    guard bytes <= maxDecodeBytes, beside <= maxDecodeBytes - bytes else {
      throw ReadError(
        .tooLarge,
        "\(size) takes more than the limit of \(maxDecodeBytes) bytes; raise the limit",
        path: file.path, remedies: [.allowMemory])
    }
    guard samples / ratio <= file.count else {
      throw ReadError(
        .damaged, "the file is too short for \(size); copy it again", path: file.path)
    }
  }
}
