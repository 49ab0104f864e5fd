import Foundation

/// The tone part of a camera profile (DNG 1.7.1): its curve, the range it is made for, and the
/// scene value that it renders as black.
package struct ProfileTone: Sendable, Hashable {
  /// ProfileDynamicRange.
  package enum Range: Sendable, Hashable {
    /// The curve runs from (0, 0) to (1, 1), display white.
    case standard
    /// The curve is defined over compressed values; 1.0 is reference white, and values above it are
    /// displayed. `maximum`: the largest value that the profile intends, nil when not declared.
    case high(maximum: Double?)
  }

  /// ProfileToneCurve.
  package let curve: ToneSpline
  package let range: Range
  /// Scene value rendered as black, 0…0.99; see ``black(stops:shadowScale:)``.
  package let black: Double

  package init(curve: ToneSpline, range: Range, black: Double = 0) {
    self.curve = curve
    self.range = range
    self.black = min(max(black, 0), 0.99)
  }

  /// The black that the reference renderer subtracts unless DefaultBlackRender forbids it: 0.005
  /// before `stops` of exposure, times ShadowScale.
  package static func black(stops: Double, shadowScale: Double) -> Double {
    min(0.005 * shadowScale * exp2(max(stops, 0)), 0.99)
  }

  /// The value with black subtracted and white preserved, with a quadratic toe.
  func withoutBlack(_ x: Double) -> Double {
    guard black > 0 else { return x }
    let slope = 1 / (1 - black)
    let radius = min(black / 2, (1 - black) / 16)
    if x <= black - radius { return 0 }
    if x >= black + radius { return (x - black) * slope }
    let z = x - black + radius
    return z * z * slope / (4 * radius)
  }

  /// The compressed value over which the curve of an HDR profile is defined: 0…16 becomes 0…1.
  static func compressed(_ x: Double) -> Double { x * (256 + x) / (256 * (1 + x)) }
  /// The inverse of ``compressed(_:)``.
  static func expanded(_ y: Double) -> Double {
    16 * (8 * y - 8 + (64 * y * y - 127 * y + 64).squareRoot())
  }

  /// The scene value at which the curve's gain is largest, its display value and that gain, at a
  /// curve strength of `boost`.
  package func knee(boost: Double) -> (scene: Double, display: Double, gain: Double) {
    var best = (scene: 1.0, display: 0.0, gain: 0.0)
    for step in 0...640 {
      let x = exp2(Double(step) / 64 - 10)
      let value = rendered(x, boost: boost)
      if value / x > best.gain * (1 + 1e-9) { best = (x, value, value / x) }
    }
    return best
  }

  /// The profile's rendering of scene value `x`, blended with the value itself where `boost` is
  /// below 1.
  func rendered(_ x: Double, boost: Double) -> Double { (1 - boost) * x + boost * rendered(x) }

  /// The profile's own rendering of scene value `x`: SDR ends at 1.
  func rendered(_ x: Double) -> Double {
    let value = withoutBlack(x)
    switch range {
    case .standard: return min(max(curve(min(value, 1)), 0), 1)
    case .high: return max(Self.expanded(curve(Self.compressed(value))), 0)
    }
  }
}
