/// How the colors that a sensor's filters leave out are found.
public enum DemosaicMethod: String, Sendable, Hashable, Codable, CaseIterable {
  /// `best` for Bayer, which costs little more, and for four colors, `fast` for others; version 1:
  /// `fast`.
  case automatic
  /// Ratio corrected for Bayer, one pass for X-Trans, bilinear for four colors.
  case fast
  /// With a second estimate of green for Bayer, three passes for X-Trans; four colors as Bayer.
  case best
  /// `best` where the picture exceeds its noise and smooth elsewhere, for Bayer: for pictures whose
  /// noise shall not be reduced any further.
  case dual
}
