// The level of an HEVC film. Source: ITU-T H.265 table A.8 and A.9 (general limits): the largest
// luma picture, luma samples per second, and bit rate of the Main and High tiers; a side is at most
// √(8 · samples). A quality has no bit rate: the encoder is then held to that of the level, so that
// the level is true.

import Foundation
import ImageCore

/// One level with its limits.
struct HEVCLevel: Sendable, Hashable {
  /// As the encoder takes it.
  let name: String
  /// general_level_idc.
  let code: Int
  private let samples: Int
  private let rate: Double
  /// Bits per second, of the Main tier and of the High tier, which the lower levels have not.
  let main: Int
  let high: Int?

  private init(
    _ name: String, _ code: Int, _ samples: Int, _ rate: Double, _ main: Int, _ high: Int? = nil
  ) {
    (self.name, self.code, self.samples, self.rate) = (name, code, samples, rate)
    (self.main, self.high) = (main * 1000, high.map { $0 * 1000 })
  }

  private static let all: [HEVCLevel] = [
    HEVCLevel("3.1", 93, 983_040, 33_177_600, 10_000),
    HEVCLevel("4.0", 120, 2_228_224, 66_846_720, 12_000, 30_000),
    HEVCLevel("4.1", 123, 2_228_224, 133_693_440, 20_000, 50_000),
    HEVCLevel("5.0", 150, 8_912_896, 267_386_880, 25_000, 100_000),
    HEVCLevel("5.1", 153, 8_912_896, 534_773_760, 40_000, 160_000),
    HEVCLevel("5.2", 156, 8_912_896, 1_069_547_520, 60_000, 240_000),
    HEVCLevel("6.0", 180, 35_651_584, 1_069_547_520, 60_000, 240_000),
    HEVCLevel("6.1", 183, 35_651_584, 2_139_095_040, 120_000, 480_000),
    HEVCLevel("6.2", 186, 35_651_584, 4_278_190_080, 240_000, 800_000),
  ]

  /// The first level that holds frames of `size` at `rate` and, where it is given, a bit rate; nil
  /// where none does.
  static func of(_ size: PixelSize, _ rate: FrameRate, bitRate: Int? = nil) -> HEVCLevel? {
    // Coded in blocks of 8 at least.
    let (width, height) = ((size.width + 7) & ~7, (size.height + 7) & ~7)
    return all.first { level in
      let side = (8 * Double(level.samples)).squareRoot()
      return width * height <= level.samples && Double(max(width, height)) <= side
        && Double(width * height) * rate.value <= level.rate
        && (bitRate ?? 0) <= (level.high ?? level.main)
    }
  }
}
