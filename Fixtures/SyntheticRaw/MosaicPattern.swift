/// The color filters of a simulated sensor, from its first active pixel: 0 red, 1 green, 2 blue.
public struct MosaicPattern: Sendable, Hashable {
  /// The four phases of a Bayer pattern, named by its first two rows.
  public enum BayerPhase: String, Sendable, CaseIterable {
    /// Red, green over green, blue.
    case rggb
    /// Green, red over blue, green.
    case grbg
    /// Green, blue over red, green.
    case gbrg
    /// Blue, green over green, red.
    case bggr
  }

  /// Columns and rows after which the pattern repeats: 2 or 6.
  public let period: Int
  /// Row by row, `period` × `period` values.
  public let channels: [UInt8]

  /// A Bayer pattern.
  public static func bayer(_ phase: BayerPhase) -> MosaicPattern {
    let codes: [Character: UInt8] = ["r": 0, "g": 1, "b": 2]
    return MosaicPattern(period: 2, channels: phase.rawValue.map { codes[$0] ?? 1 })
  }

  /// Fujifilm's X-Trans pattern, begun `x` columns and `y` rows later.
  public static func xTrans(x: Int = 0, y: Int = 0) -> MosaicPattern {
    let rows = ["gbggrg", "rgrbgb", "gbggrg", "grggbg", "bgbrgr", "grggbg"].map(Array.init)
    let codes: [Character: UInt8] = ["r": 0, "g": 1, "b": 2]
    let channels = (0..<36).map { i -> UInt8 in
      let row = (i / 6 + (y % 6 + 6)) % 6
      let column = (i % 6 + (x % 6 + 6)) % 6
      return codes[rows[row][column]] ?? 1
    }
    return MosaicPattern(period: 6, channels: channels)
  }

  /// Channel over the active pixel at column `x`, row `y`; both may be negative (border pixels).
  public func channel(x: Int, y: Int) -> Int {
    let column = ((x % period) + period) % period
    let row = ((y % period) + period) % period
    return Int(channels[row * period + column])
  }
}
