import Containers
import ImageCore

extension DecodeLimits {
  /// Throws when a picture of these numbers takes more than the limits allow, or more than `file`,
  /// whose bytes hold at most `ratio` numbers each, can be worth.
  func allow(
    _ size: PixelSize, channels: Int, _ format: DecodedSamples.Format, file: FileBytes, ratio: Int
  ) throws(ReadError) {
    func product(_ a: Int, _ b: Int) -> Int {
      let (value, overflow) = a.multipliedReportingOverflow(by: b)
      return overflow ? Int.max : value
    }
    let pixels = product(size.width, size.height)
    guard size.width > 0, size.height > 0 else {
      throw ReadError(.damaged, "the picture has no pixels; copy it again", path: file.path)
    }
    guard pixels <= maxPixels else {
      throw ReadError(
        .tooLarge, "\(size) is more than the limit of \(maxPixels) pixels; raise the limit",
        path: file.path)
    }
    let numbers = product(pixels, channels)
    guard product(numbers, format.bytes) <= maxDecodeBytes else {
      throw ReadError(
        .tooLarge,
        "\(size) takes more than the limit of \(maxDecodeBytes) bytes; raise the limit",
        path: file.path)
    }
    guard numbers / ratio <= file.count else {
      throw ReadError(
        .damaged, "the file is too short for \(size); copy it again", path: file.path)
    }
  }
}
