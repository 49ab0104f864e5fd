import Foundation
import ImageCore
import Synchronization

/// A mosaic from the four channels of GoPro's raw profile (github.com/gopro/gpr).
///
/// Channels are green, the mean of both; red less green; blue less green; the difference of both
/// greens. The last three are halved and stored with an offset of half of full scale M:
///
///     R = G + 2·(RG − M/2)    B = G + 2·(BG − M/2)    G₁ = G + (GD − M/2)    G₂ = G − (GD − M/2)
///
/// clamped to their range, with G₁ in the upper row of a pattern. They use a logarithmic code c of
/// b bits with the linear value 65535 · (113^(c / (2ᵇ − 1)) − 1) / 112, whose lowest bits are
/// dropped if the white level of the file implies 12 or 14 bits. GoPro rounds that value down for
/// 12 bits and to nearest for more.
struct VC5Mosaic: Sendable {
  /// The value of each code.
  let curve: [UInt16]
  /// Whether red filters are in the upper row of the pattern, and whether it starts with green.
  private let redIsAbove: Bool
  private let greenIsFirst: Bool

  /// A mosaic of `pattern`, starting at the first stored pixel, from codes of `bits` bits with this
  /// white level. Nil if `pattern` is not a Bayer pattern.
  init?(_ pattern: CFA, bits: Int, white: Double) {
    guard pattern.kind == .bayer else { return nil }
    redIsAbove = pattern.channels.prefix(2).contains(0)
    greenIsFirst = pattern.channels[0] == 1
    let lost = white <= 4095 ? 4 : white <= 16383 ? 2 : 0
    let top = Double((1 << bits) - 1)
    let half = bits == 12 ? 0 : 0.5
    curve = (0..<1 << bits).map { code in
      let value = 65535 * (pow(113, Double(code) / top) - 1) / 112
      return UInt16(min(value + half, 65535)) >> UInt16(lost)
    }
  }

  /// Writes two rows of `count` patterns from a row of each channel.
  func rows(
    _ channels: [SampleRow<Int32>], count: Int, into upper: SampleRow<UInt16>,
    _ lower: SampleRow<UInt16>
  ) {
    let red = channels[redIsAbove ? 1 : 2]
    let blue = channels[redIsAbove ? 2 : 1]
    if greenIsFirst {
      fill(channels[0], red, blue, channels[3], count, into: upper, lower, greenAt: 0)
    } else {
      fill(channels[0], red, blue, channels[3], count, into: upper, lower, greenAt: 1)
    }
  }

  /// `above` and `below` are the channels of the colors of the two rows.
  @inline(__always)
  private func fill(
    _ green: SampleRow<Int32>, _ above: SampleRow<Int32>, _ below: SampleRow<Int32>,
    _ difference: SampleRow<Int32>, _ count: Int, into upper: SampleRow<UInt16>,
    _ lower: SampleRow<UInt16>, greenAt: Int
  ) {
    let curve = curve.span
    let top = Int32(curve.count - 1)
    let offset = Int32(curve.count / 2)
    @inline(__always)
    func value(_ code: Int32) -> UInt16 {
      unsafe curve[unchecked: Int(min(max(code, 0), top))]
    }
    for i in 0..<count {
      let g = green[i]
      let d = difference[i] &- offset
      upper[2 &* i &+ greenAt] = value(g &+ d)
      upper[2 &* i &+ 1 &- greenAt] = value(g &+ (above[i] &- offset) &* 2)
      lower[2 &* i &+ greenAt] = value(g &+ (below[i] &- offset) &* 2)
      lower[2 &* i &+ 1 &- greenAt] = value(g &- d)
    }
  }
}

/// The mosaics of a picture, by the bits of its streams. Each is computed once: the powers of its
/// curve take longer than a small tile.
final class VC5Mosaics: Sendable {
  private let pattern: CFA
  private let white: Double
  private let made = Mutex<[Int: VC5Mosaic]>([:])

  init(_ pattern: CFA, white: Double) { (self.pattern, self.white) = (pattern, white) }

  /// The mosaic of codes of `bits` bits; nil if the pattern is not a Bayer pattern.
  func mosaic(bits: Int) -> VC5Mosaic? {
    made.withLock { made in
      if let mosaic = made[bits] { return mosaic }
      let mosaic = VC5Mosaic(pattern, bits: bits, white: white)
      made[bits] = mosaic
      return mosaic
    }
  }
}
