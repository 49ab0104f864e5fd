/// The method by which the missing colors of each photosite are interpolated.
public enum DemosaicMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// `best` for Bayer, which costs little more, and for four colors, `fast` for others.
  case automatic
  /// Ratio corrected for Bayer, one pass for X-Trans, bilinear for four colors.
  case fast
  /// With a second estimate of green for Bayer, three passes for X-Trans; four colors as Bayer.
  case best
  /// `best` where the picture exceeds its noise and bilinear elsewhere, for Bayer: for pictures
  /// whose noise is not reduced afterwards.
  case dual

  /// Whether it must know the noise of the picture.
  package var needsNoise: Bool { self == .dual }
}
