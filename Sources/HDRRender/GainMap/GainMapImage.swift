public import ImageCore

/// The samples of a gain map as stored: one or three interleaved channels of code values,
/// 0…``maximumCode`` for 0…1. It has any size and is scaled to the picture that it belongs to.
public struct GainMapImage: Sendable, Hashable {
  /// Columns and rows, neither 0.
  public let size: PixelSize
  /// 1, or 3: red, green, blue.
  public let channels: Int
  /// The code value of 1.0.
  public let maximumCode: UInt16
  /// Row by row, channels interleaved.
  public let codes: [UInt16]

  /// Throws where the size has no pixel, or the number of channels or code values does not fit.
  public init(size: PixelSize, channels: Int, codes: [UInt16], maximumCode: UInt16)
    throws(GainMapError)
  {
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels > 0, size.width < 1 << 24, size.height < 1 << 24, maximumCode > 0 else {
      throw GainMapError(.badSetting, "a map of \(size) has no samples; leave the map out")
    }
    guard channels == 1 || channels == 3 else {
      throw GainMapError(.badSetting, "\(channels) channels given; give one or three")
    }
    guard codes.count % channels == 0, codes.count / channels == pixels else {
      throw GainMapError(
        .damaged,
        "\(codes.count) samples do not make \(size) of \(channels) channels; "
          + "show the picture without its map")
    }
    self.size = size
    self.channels = channels
    self.codes = codes
    self.maximumCode = maximumCode
  }

  private init(upright map: GainMapImage, _ orientation: Orientation) {
    (channels, maximumCode) = (map.channels, map.maximumCode)
    size = orientation.upright(map.size)
    var codes: [UInt16] = []
    codes.reserveCapacity(map.codes.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let from = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: map.size)
        let start = (from.y * map.size.width + from.x) * channels
        codes += map.codes[start..<start + channels]
      }
    }
    self.codes = codes
  }

  /// The map rotated upright like its picture, which is stored in `orientation`.
  package func upright(_ orientation: Orientation) -> GainMapImage {
    orientation == .up ? self : GainMapImage(upright: self, orientation)
  }

  /// The same samples in each of three channels, where it has one.
  public var inThreeChannels: GainMapImage {
    channels == 3 ? self : GainMapImage(inThreeChannels: self)
  }

  private init(inThreeChannels map: GainMapImage) {
    (size, channels, maximumCode) = (map.size, 3, map.maximumCode)
    codes = map.codes.flatMap { [$0, $0, $0] }
  }

  /// A map of eight bits a sample.
  public init(size: PixelSize, channels: Int, bytes: [UInt8]) throws(GainMapError) {
    try self.init(size: size, channels: channels, codes: bytes.map(UInt16.init), maximumCode: 255)
  }
}
