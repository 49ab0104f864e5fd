public import ImageCore

/// How a picture's light is, or was, coded: what decides the format that it is written in.
public struct PictureFormat: Sendable, Hashable {
  /// Standard range, PQ or hybrid log-gamma, and with which metadata. A gain-map picture has the
  /// range of its base.
  public var dynamicRange: DynamicRangeMix
  /// Red, green and blue.
  public var primaries: Primaries
  /// Bits of a sample.
  public var bitDepth: Int
  /// Columns and rows, upright.
  public var size: PixelSize
  /// Whether a gain map leads to another rendition.
  public var hasGainMap: Bool

  /// A format.
  public init(
    _ dynamicRange: DynamicRangeMix, primaries: Primaries, bitDepth: Int, size: PixelSize,
    hasGainMap: Bool = false
  ) {
    (self.dynamicRange, self.primaries, self.bitDepth) = (dynamicRange, primaries, bitDepth)
    (self.size, self.hasGainMap) = (size, hasGainMap)
  }

  /// The format that holds `picture`, of which only the light is known: standard range in eight
  /// bits, light above white that hybrid log-gamma holds in that, brighter light in PQ, both in ten
  /// bits and BT.2020.
  public init(holding picture: DisplayPicture) {
    let isHDR = picture.isHighDynamicRange
    let hasGainMap = if case .gainMap = picture.content { true } else { false }
    let primaries =
      switch picture.content {
      case .light(let light): light.info.primaries
      case .gainMap(let map): map.base.info.primaries
      }
    let range: DynamicRangeMix =
      !isHDR || hasGainMap
      ? .sdr : picture.contentHeadroom <= Double(ReferenceWhite.hlgHeadroom) ? .hlg : .pq
    self.init(
      range, primaries: range == .sdr ? primaries : .bt2020, bitDepth: range == .sdr ? 8 : 10,
      size: picture.size, hasGainMap: hasGainMap)
  }

  /// Whether light above white comes out of it, its gain map counted.
  public var isHighDynamicRange: Bool { dynamicRange.transfer != .standard || hasGainMap }
}
