import CKernels
import Foundation
import ImageCore

/// A tone curve through points, as photographers draw it: over signals from 0, black, to 1,
/// reference white, coded by the curve of sRGB, by which histograms are drawn. Applied after the
/// global tone curve, to the tones that the user sees.
public struct PointCurve: Sendable, Hashable {
  /// Signals in and out, each 0…1; the first of each rising. None for no change.
  public var points: [SIMD2<Double>]

  /// A curve through these points.
  public init(_ points: [SIMD2<Double>] = []) { self.points = points }

  /// Whether no value changes.
  public var isNeutral: Bool {
    points.isEmpty
      || points.first?.x == 0 && points.last?.x == 1 && points.allSatisfy { $0.x == $0.y }
  }

  /// The signal that `signal` becomes.
  package func callAsFunction(_ signal: Double) -> Double { drawn(signal) }

  /// The same, the spline made once.
  fileprivate var drawn: (Double) -> Double {
    guard points.count >= 2, let first = points.first, let last = points.last else { return { $0 } }
    let spline = MonotoneSpline(points)
    return { signal in
      if signal <= first.x { return first.y }
      if signal >= last.x { return last.y }
      return min(max(Double(spline(Float(signal))), 0), 1)
    }
  }

  /// Why a curve cannot be drawn through the points; nil where it can.
  package var refusal: String? {
    if points.isEmpty { return nil }
    if points.count < 2 { return "only one point; give two or more" }
    guard points.allSatisfy({ (0...1).contains($0.x) && (0...1).contains($0.y) }) else {
      return "a point outside 0 to 1; both of its numbers are signals from 0 to 1"
    }
    guard zip(points, points.dropFirst()).allSatisfy({ $1.x - $0.x >= 1e-3 }) else {
      return "points that are not in order; the first number must rise from point to point"
    }
    return nil
  }
}

/// Codes a curve as the numbers of its points in turn.
extension PointCurve: Codable {
  /// Reads two numbers for each point.
  public init(from decoder: any Decoder) throws {
    let numbers = try decoder.singleValueContainer().decode([Double].self)
    guard numbers.count % 2 == 0 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "\(decoder.codingPath.last?.stringValue ?? "this") takes two numbers for each point"))
    }
    points = stride(from: 0, to: numbers.count, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
  }

  /// Writes two numbers for each point.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(points.flatMap { [$0.x, $0.y] })
  }
}

/// A ``PointCurve`` as a table for linear display values.
///
/// Source: ``MonotoneSpline`` through the points; before the first and after the last it is
/// constant. With e the transfer function of sRGB and S the spline,
///
///     C(x) = e⁻¹(S(e(x)))      0 ≤ x ≤ 1
///     C(x) = C(1) · x          x > 1: headroom keeps its ratios to white
///     C(x) = C(0) + x          x < 0: what is below black stays below it
///
/// 16 octaves of 128 steps, below them linear; error below 10⁻⁵ of white. Laws: monotone where the
/// points rise; C(x) ≤ max(x, 1), so no rendition leaves its headroom; values up to 1, and so the
/// midtones, do not depend on the headroom. Known failure: C has a corner at 1 unless the curve is
/// straight there.
struct PointCurveTable: Sendable {
  private static let octaves = 16

  private let table: OctaveTable
  private let below: Float
  private let black: Float
  private let white: Float

  init(_ curve: PointCurve) {
    let (drawn, isDrawn) = (curve.drawn, curve.points.count >= 2)
    func value(_ x: Double) -> Double {
      isDrawn ? SRGB.linear(signal: drawn(SRGB.signal(linear: x))) : x
    }
    let black = value(0)
    table = OctaveTable(octaves: Self.octaves) { value($0) - black }
    self.black = Float(black)
    white = Float(value(1))
    below = table.pairs[0] * exp2(Float(Self.octaves))
  }

  private func kernel<Result>(_ body: (inout ck_pointCurve) -> Result) -> Result {
    table.pairs.withUnsafeBufferPointer { pairs in
      var curve = ck_pointCurve(
        pairs: pairs.baseAddress, lowest: table.lowest, below: below, black: black, white: white)
      return body(&curve)
    }
  }

  /// Applies the curve to the largest and the smallest channel of each pixel; the middle one keeps
  /// its relative position, and the pixel its hue. NaN becomes black.
  func apply(_ rows: RGBRows) {
    kernel { ck_pointCurveRow(&$0, rows.kernel, Int64(rows.count)) }
  }

  /// Applies the curve to each value. NaN becomes black.
  func apply(_ row: MutableRowView) {
    kernel { ck_channelCurveRow(&$0, row.start, Int64(row.count)) }
  }
}
