/// How the picture of a HEIF or AVIF is divided into coded pictures. The raw value is the name in
/// recipes and on the command line.
public enum TileLayout: String, Sendable, Hashable, Codable, CaseIterable {
  /// One picture for AVIF up to the largest level of AV1; a grid beyond it and for HEIF.
  case auto
  /// A grid of tiles where the picture is larger than one.
  case grid
  /// One coded picture: every reader shows it, and coding takes memory for all of it.
  case single

  /// Pixels of the largest picture in levels 6.0 to 6.3 of AV1 (its specification, annex A.3).
  package static let largestAV1Area = 35_651_584
}
