/// The distribution of luminance in a picture.
public struct LuminanceStatistics: Sendable, Hashable, Codable {
  /// Pixels by luminance: 64 bins of a quarter stop from 2⁻¹⁰ to 2⁶ of reference white, in parts of
  /// 100,000; the first and last bin hold all values beyond the range.
  public var histogram: [Int]
  /// Fraction of pixels with no channel above 0, 0…1.
  public var blackShare: Float
  /// Fraction of pixels with a channel above reference white, 0…1.
  public var aboveWhiteShare: Float
  /// Fraction of pixels with a channel within 0.1 % of the headroom of the rendition, 0…1.
  public var clippedShare: Float
}
