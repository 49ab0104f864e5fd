public import ImageCore

/// How a picture is, or was, encoded: what decides the format that it is written in.
public struct PictureFormat: Sendable, Hashable {
  /// SDR, PQ or hybrid log-gamma, and with which metadata. A gain-map picture has the
  /// range of its base.
  public var dynamicRange: DynamicRangeMix
  /// Red, green and blue.
  public var primaries: Primaries
  /// Bits per sample.
  public var bitDepth: Int
  /// Columns and rows, upright.
  public var size: PixelSize
  /// Whether a gain map holds another rendition.
  public var hasGainMap: Bool

  /// The format with these properties.
  public init(
    _ dynamicRange: DynamicRangeMix, primaries: Primaries, bitDepth: Int, size: PixelSize,
    hasGainMap: Bool = false
  ) {
    (self.dynamicRange, self.primaries, self.bitDepth) = (dynamicRange, primaries, bitDepth)
    (self.size, self.hasGainMap) = (size, hasGainMap)
  }

  /// The format that holds `picture`, judged by its headroom: SDR in eight bits; hybrid
  /// log-gamma up to its 1000 cd/m², PQ beyond, both in ten bits and BT.2020.
  public init(holding picture: DisplayPicture) {
    let isHDR = picture.isHighDynamicRange
    let hasGainMap = if case .gainMap = picture.content { true } else { false }
    let primaries =
      switch picture.content {
      case .pixels(let pixels): pixels.info.primaries
      case .gainMap(let map): map.base.info.primaries
      }
    let range: DynamicRangeMix =
      !isHDR || hasGainMap
      ? .sdr : picture.contentHeadroom <= Double(ReferenceWhite.hlgHeadroom) ? .hlg : .pq
    self.init(
      range, primaries: range == .sdr ? primaries : .bt2020, bitDepth: range == .sdr ? 8 : 10,
      size: picture.size, hasGainMap: hasGainMap)
  }

  /// Whether it yields values above reference white, with the gain map applied.
  public var isHighDynamicRange: Bool { dynamicRange.transfer != .standard || hasGainMap }
}
