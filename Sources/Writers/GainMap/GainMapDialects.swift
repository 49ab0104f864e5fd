/// The formats in which a file describes its gain map. Each adds a few hundred bytes; the map
/// itself is stored once.
public struct GainMapDialects: OptionSet, Sendable, Hashable {
  /// One bit for each format.
  public let rawValue: Int
  /// The formats of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Apple's of 2020: `HDRGainMap` and the maker note.
  public static let apple = GainMapDialects(rawValue: 1)
  /// ISO 21496-1:2025.
  public static let iso = GainMapDialects(rawValue: 2)
  /// Adobe's and Android's XMP ("Ultra HDR"), in JPEG only.
  public static let hdrgm = GainMapDialects(rawValue: 4)
  /// All that the container holds.
  public static let all: GainMapDialects = [.apple, .iso, .hdrgm]
}
