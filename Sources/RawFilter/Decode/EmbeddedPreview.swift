public import ImageCore

/// A JPEG preview inside a raw file, as the camera or converter made it: display-referred, stored
/// unrotated like the raw.
public struct EmbeddedPreview: Sendable {
  /// The JPEG file.
  public let jpeg: [UInt8]
  /// Its columns and rows.
  public let size: PixelSize

  /// The preview in `jpeg`; nil when it is no JPEG.
  package init?(_ jpeg: [UInt8]) {
    guard let decoder = TurboJPEG(), let header = jpeg.withUnsafeBytes({ decoder.header($0) })
    else {
      return nil
    }
    self.jpeg = jpeg
    size = header.size
  }

  /// The pixels, three bytes each, at the largest of TurboJPEG's scales (eighths) whose longer side is
  /// at most `maxSide`; nil when the JPEG is damaged or has over 200 million pixels.
  public func decode(maxSide: Int) -> (size: PixelSize, rgb: [UInt8])? {
    guard let decoder = TurboJPEG() else { return nil }
    let scaled = decoder.scaled(size, maxSide: maxSide)
    guard scaled.area <= 200_000_000 else { return nil }
    var isSound = false
    let rgb = [UInt8](unsafeUninitializedCapacity: scaled.area * 3) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      buffer.initialize(repeating: 0)
      isSound = jpeg.withUnsafeBytes {
        decoder.decode($0, size: scaled, components: 3, into: target)
      }
      count = buffer.count
    }
    return isSound ? (scaled, rgb) : nil
  }
}
