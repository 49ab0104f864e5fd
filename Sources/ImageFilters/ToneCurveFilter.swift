import CVector
import Foundation
public import HDRRender
public import ImageCore

/// A tone curve in stops: through points (stops in, stops out), 0 = reference white, by a monotone
/// spline (`MonotoneSpline`), linear outside the first and last point.
///
///     x = log2(max(|R|, |G|, |B|)),  gain = 2^(curve(x) − x) for all three channels
///
/// so that ratios of channels, hence hue, are preserved, and negative values mirror positive ones.
/// Below 2^−24 of white the gain is constant. A curve through points of out = in returns the
/// picture itself. Domain: points within ±32 stops; gains are clamped to ±64 stops. Relative error
/// of the float series below 2e-5.
public struct ToneCurveFilter: ImageFilter, Hashable {
  /// The lower end of the curve, stops.
  static let floor: Float = -24

  /// The points, stops in and out.
  public let points: [SIMD2<Double>]
  private let spline: MonotoneSpline

  /// Throws unless there are 2 to 256 points within ±32 stops, in rising by 1/1000 stop or more,
  /// out never falling.
  public init(_ points: [SIMD2<Double>]) throws(OperatorError) {
    guard (2...256).contains(points.count),
      points.allSatisfy({ abs($0.x) <= 32 && abs($0.y) <= 32 }),
      zip(points, points.dropFirst()).allSatisfy({ $1.x - $0.x >= 1e-3 && $1.y >= $0.y })
    else {
      throw OperatorError(
        "tone curve",
        "\(points.count) points that do not rise; give 2 to 256 within 32 stops, from dark to "
          + "bright"
      )
    }
    self.points = points
    spline = MonotoneSpline(points)
  }

  /// `.toneCurve`.
  public var operation: EditOperation { .toneCurve }

  /// Stops out of stops in.
  public func callAsFunction(_ stops: Double) -> Double { Double(spline(Float(stops))) }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    if points.allSatisfy({ $0.x == $0.y }) { return source }
    let top = source.info.headroom
    let bound =
      top > 0 ? top * exp2(gainStops(max(log2(top), Self.floor))) * (1 + 4e-5) : top
    return RowStage(source, CurveRow(edit: self), headroom: bound)
  }

  /// The gain, in stops, at a level of `stops`.
  fileprivate func gainStops(_ stops: Float) -> Float {
    min(max(spline(stops) - stops, -64), 64)
  }
}

private struct CurveRow: RowFilter {
  let edit: ToneCurveFilter

  func apply(_ row: RGBRows, at origin: PixelPoint) {
    let minimum = SIMD8<Float>(repeating: exp2(ToneCurveFilter.floor))
    let maximum = SIMD8<Float>(repeating: 0x1p100)
    for x in vectors(row.count) {
      let rgb = row.lanes(x)
      let level = cv_clamp8(cv_number8(rgb.map(cv_abs8).highest), minimum, maximum)
      let stops = cv_log2_8(level)
      var gain = SIMD8<Float>.zero
      for lane in 0..<8 { gain[lane] = edit.gainStops(stops[lane]) }
      row.setLanes(x, rgb * cv_exp2_8(gain))
    }
  }
}
