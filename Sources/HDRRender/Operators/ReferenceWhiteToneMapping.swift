import CKernels
import Foundation
public import ImageCore

/// The reference white tone mapping operator: shows a picture with less than its headroom.
///
/// Source: SMPTE ST 2094-50, recommended for ISO 22028-5 pictures. With H the content's headroom
/// and T the display's, both in stops, and s = min(H / log2(1000/203), 1), two renditions are
/// defined, A₀ = 0 stops with white at 1 − s/2, and A₁ = s · log2(8/3) stops with white at 1. Each
/// is a quadratic Bézier from (1, white) to (2^H, 2^A) with middle (1 − κ + κ·2^A/white, (1 −
/// κ)·white + κ·2^A), κ = 0.65, read at 8 points; gains log2(y/x) follow a cubic Hermite spline
/// between them, are constant below x = 1 and fall as 1/x beyond 2^H. For T gains are mixed
/// linearly between the neighbors among A₀, A₁ and the content itself (gain 0). The gain is found
/// by x = max(R, G, B) in BT.2020 and scales all three: hue stays. Beyond 4.5 stops of content,
/// eight points are too few: just above white the published curve falls, by 5 % for the full range
/// of PQ. There the result stays level until the curve has risen again. Units: multiples of
/// reference white. Where T ≥ H every value is returned bit for bit. Error of the table (128 steps
/// an octave, linear) below 6e-5 of the gain for contents of 1 to 4.5 stops, 3e-4 for others. Known
/// failures: a color of narrower primaries may exceed 2^T in those although it does not in BT.2020;
/// the caller limits it. Values above the declared headroom are clamped to it.
public struct ReferenceWhiteToneMapping: Sendable {
  /// Position of the Bézier's middle point.
  private static let bend = 0.65
  private static let points = 8
  /// As in OctaveTable.h.
  private static let stepsPerOctave = 128

  /// The content's headroom, a ratio to reference white.
  public let contentHeadroom: Double
  /// The display's headroom, a ratio to reference white.
  public let displayHeadroom: Double
  /// Whether it changes nothing.
  public let isIdentity: Bool

  private let curves: [(weight: Double, spline: GainSpline)]
  /// The largest display value up to each entry of the table.
  private let levels: [Double]
  /// Gains at even steps of the bits of x / 2^H, each with the step to the next.
  private let table: [Float]
  private let lowest: Int32
  private let toBT2020: ck_matrix

  /// Maps from the content's headroom to the display's. Values below 1, and NaN, are treated as 1;
  /// above 2^16 as 2^16. `primaries`: the primaries of the rows.
  public init(contentHeadroom: Double, displayHeadroom: Double, primaries: Primaries = .bt2020) {
    func held(_ ratio: Double) -> Double { ratio > 1 ? min(ratio, 0x1p16) : 1 }
    self.contentHeadroom = held(contentHeadroom)
    self.displayHeadroom = held(displayHeadroom)
    let (content, target) = (log2(self.contentHeadroom), log2(self.displayHeadroom))
    isIdentity = target >= content
    let curves = isIdentity ? [] : Self.curves(content: content, target: target)
    self.curves = curves
    let octaves = Int32(content.rounded(.up)) + 1
    lowest = (127 - octaves) << 23
    let peak = self.contentHeadroom
    let values = (0...Int(octaves) * Self.stepsPerOctave).map { [lowest] index in
      peak * Double(Float(bitPattern: UInt32(bitPattern: lowest + Int32(index) << 16)))
    }
    var levels: [Double] = []
    for value in values {
      levels.append(max(value * exp2(Self.stops(value, curves)), levels.last ?? 0))
    }
    let gains: [Float] = zip(levels, values).map { Float($0 / $1) }
    self.levels = levels
    var table: [Float] = []
    for (gain, next) in zip(gains, gains.dropFirst()) { table += [gain, next - gain] }
    self.table = table + [gains[gains.count - 1], 0]
    toBT2020 = ck_matrix(primaries.conversion(to: .bt2020))
  }

  /// The renditions next to the target, and their weights.
  private static func curves(content: Double, target: Double) -> [(Double, GainSpline)] {
    let strength = min(content / log2(1000.0 / 203), 1)
    func curve(_ stops: Double, white: Double) -> GainSpline {
      let (end, top) = (exp2(content), exp2(stops))
      let middle = ((1 - bend) + bend * top / white, (1 - bend) * white + bend * top)
      return GainSpline(
        (0..<points).map { index in
          let t = Double(index) / Double(points - 1)
          let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
          let x = a + b * middle.0 + c * end
          let y = a * white + b * middle.1 + c * top
          let dx = 2 * (1 - t) * (middle.0 - 1) + 2 * t * (end - middle.0)
          let dy = 2 * (1 - t) * (middle.1 - white) + 2 * t * (top - middle.1)
          return (x, log2(y / x), (x * dy / dx - y) / (log(2) * x * y))
        })
    }
    let second = log2(8.0 / 3) * strength
    let low = curve(0, white: 1 - 0.5 * strength)
    let high = curve(second, white: 1)
    if target >= second { return [((content - target) / (content - second), high)] }
    let weight = max(target, 0) / second
    return [(1 - weight, low), (weight, high)]
  }

  private static func stops(_ x: Double, _ curves: [(weight: Double, spline: GainSpline)]) -> Double
  {
    curves.reduce(0) { $0 + $1.weight * $1.spline(x) }
  }

  /// The display value of a gray, or of the largest channel of a color.
  public func callAsFunction(_ value: Double) -> Double {
    if isIdentity { return value }
    let value = min(value, contentHeadroom)
    let mapped = value * exp2(Self.stops(value, curves))
    let bits = Float(max(value / contentHeadroom, 0)).bitPattern
    guard bits >= UInt32(bitPattern: lowest) else { return mapped }
    let index = min(Int(bits - UInt32(bitPattern: lowest)) >> 16, levels.count - 1)
    return min(max(mapped, levels[index]), levels[min(index + 1, levels.count - 1)])
  }

  /// Maps each pixel of `rows`. NaN becomes black, except where the mapping is the identity.
  package func apply(_ rows: RGBRows) {
    if isIdentity { return }
    table.withUnsafeBufferPointer { table in
      var tone = ck_whiteTone(
        pairs: table.baseAddress, lowest: lowest, peak: Float(contentHeadroom),
        toBT2020: toBT2020)
      ck_whiteToneRow(&tone, rows.kernel, Int64(rows.count))
    }
  }
}
