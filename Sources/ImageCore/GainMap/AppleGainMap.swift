import Foundation

/// The metadata of gain maps in Apple's files of 2020 and later.
///
/// Source: Apple's article on applying the HDR effect. With a = MakerApple 33 and b = MakerApple 48
/// the headroom is 2^max(s, 0), where the stops s are
///
///     a < 1:   −20 b + 1.8 for b ≤ 0.01,   −0.101 b + 1.601 beyond
///     a ≥ 1:   −70 b + 3.0 for b ≤ 0.01,   −0.303 b + 2.303 beyond
///
/// Newer files also declare the headroom itself, as a ratio, in `HDRGainMapHeadroom` (version
/// 131072; older ones have 65536 and no such value). Where both are present and differ, the
/// declared one is used, as in other readers. A map without a version, as beside a newer unknown
/// record, is used where the picture is declared to be Apple's map. Known failure: MakerApple
/// encodes no more than 8; larger headrooms are written as 8 there.
public struct AppleGainMap: Sendable, Hashable {
  /// `HDRGainMapVersion` of files without `HDRGainMapHeadroom`.
  public static let versionWithoutHeadroom = 65_536
  /// `HDRGainMapVersion` of files with `HDRGainMapHeadroom`.
  public static let versionWithHeadroom = 131_072

  /// `HDRGainMapVersion`.
  public var version: Int
  /// `HDRGainMapHeadroom`, a ratio to reference white; nil when the file does not declare it.
  public var declaredHeadroom: Double?

  /// The values in the XMP of the map.
  public init(version: Int, declaredHeadroom: Double? = nil) {
    self.version = version
    self.declaredHeadroom = declaredHeadroom
  }

  /// The values for a file with this headroom.
  public init(headroom: Double) {
    self.init(
      version: Self.versionWithHeadroom, declaredHeadroom: headroom > 1 ? headroom : 1)
  }

  /// The headroom of the picture with its map fully applied: the declared one, unless it exceeds
  /// the range of ``GainMapMetadata``, else the one from the maker note; nil when both are missing,
  /// and the map is then not used.
  public func headroom(maker: MakerValues?) -> Double? {
    if let declaredHeadroom, declaredHeadroom > 0,
      declaredHeadroom <= exp2(GainMapMetadata.maxStops)
    {
      return max(declaredHeadroom, 1)
    }
    return maker.flatMap(\.headroom)
  }

  /// The two numbers in the maker note.
  public struct MakerValues: Sendable, Hashable {
    /// MakerApple 33 (0x21, HDRHeadroom).
    public var headroom33: Double
    /// MakerApple 48 (0x30, HDRGain).
    public var gain48: Double

    /// The numbers as stored.
    public init(headroom33: Double, gain48: Double) {
      self.headroom33 = headroom33
      self.gain48 = gain48
    }

    /// The numbers that encode `headroom`, a ratio to reference white; clamped to 8.
    public init(headroom: Double) {
      let stops = min(max(log2(headroom > 1 ? headroom : 1), 0), 3)
      // Where the two parts of a formula do not meet, the nearest number is on their border.
      if stops >= 1.8 {
        let gain = stops >= 2.3 ? (3 - stops) / 70 : max((2.303 - stops) / 0.303, 0.01)
        self.init(headroom33: 1, gain48: gain)
      } else {
        let gain = stops >= 1.6 ? (1.8 - stops) / 20 : max((1.601 - stops) / 0.101, 0.01)
        self.init(headroom33: 0, gain48: gain)
      }
    }

    /// The headroom, a ratio to reference white; nil for NaN.
    public var headroom: Double? {
      guard headroom33.isFinite, gain48.isFinite else { return nil }
      let stops =
        switch (headroom33 < 1, gain48 <= 0.01) {
        case (true, true): -20 * gain48 + 1.8
        case (true, false): -0.101 * gain48 + 1.601
        case (false, true): -70 * gain48 + 3
        case (false, false): -0.303 * gain48 + 2.303
        }
      // A negative gain, which no camera writes, must not exceed what displays can show.
      return exp2(min(max(stops, 0), 4))
    }
  }
}
