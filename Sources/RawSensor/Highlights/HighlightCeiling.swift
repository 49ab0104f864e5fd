import ImageCore

/// The value of a neutral all of whose channels are saturated, after the treatment of highlights,
/// under any white in use (``SensorSettings/white``).
struct HighlightCeiling: Sendable {
  let highlights: SensorSettings.Highlights
  let saturation: SaturationLevel
  let balance: SIMD4<Float>
  /// The channels of the picture.
  let channels: Set<UInt8>
  /// ``SensorSettings/clippedWhite``; nil for linear pixels, which are clipped to 1.
  let clippedWhite: Float?

  func value(under white: SIMD4<Float>) -> Float {
    guard highlights == .clipped else { return last(under: white) }
    return clippedWhite.map { max(first(under: white), $0) } ?? 1
  }

  /// The neutral whose first channel saturates.
  func first(under white: SIMD4<Float>) -> Float {
    saturation.neutralEnd(balance: balance * white, channels: channels)
  }

  /// The neutral whose last channel saturates.
  func last(under white: SIMD4<Float>) -> Float {
    let inUse = balance * white
    return channels.map { saturation.level[Int($0)] * inUse[Int($0)] }.max() ?? 1
  }
}
