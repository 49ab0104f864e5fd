/// The method by which the missing colors of each photosite are interpolated.
public enum DemosaicMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// `best` for Bayer, which costs little more, and for four colors, `fast` for others.
  case automatic
  /// Ratio corrected (RCD) for Bayer, one pass for X-Trans, bilinear for four colors and all other
  /// patterns.
  case fast
  /// Bayer with green averaged with an estimate from directional differences; X-Trans in three
  /// passes; four colors as Bayer.
  case best
  /// For Bayer, `best` where the signal exceeds the noise and bilinear elsewhere. For pictures
  /// without later noise reduction.
  case dual

  /// Whether it needs a noise model of the picture.
  package var needsNoise: Bool { self == .dual }
}
