import Foundation
public import HDRRender
public import ImageCore

/// A Gaussian blur of linear values.
///
/// Source: exp(−x² / 2σ²), truncated at 4 σ, along rows, then along columns; the last sample is
/// repeated outside the edge. From σ = 4 on it is sampled only at every f-th pixel, f = ⌊σ / 2⌋,
/// with the variance σ² − f²/3, and cubic B-splines of knots f apart, whose variance is f²/3, fill
/// in the rest: a cascade of Gaussian and spline is a Gaussian up to 0.1 % of its peak, at the same
/// cost per pixel for every σ. Units: σ in pixels. 0 returns the picture itself. Flat areas keep
/// every bit; the headroom is unchanged.
public struct GaussianBlurFilter: ImageFilter, Hashable {
  /// Upper limit of σ, pixels.
  public static let largestSigma = 10_000.0

  /// Standard deviation, pixels.
  public let sigma: Double

  /// Throws outside 0…``largestSigma``.
  public init(sigma: Double) throws(OperatorError) {
    guard sigma >= 0, sigma <= Self.largestSigma else {
      throw OperatorError("Gaussian blur", "sigma is \(sigma); give 0 to \(Self.largestSigma)")
    }
    self.sigma = sigma
  }

  /// `.gaussianBlur`.
  public var operation: EditOperation { .gaussianBlur }

  /// `source` with the filter applied when it is read.
  public func applied(to source: any PixelSource<DisplayReferred>)
    -> any PixelSource<DisplayReferred>
  {
    Self.filters(sigma: sigma, size: source.size).reduce(source) {
      SeparableStage(source: $0, filter: $1, bandHeight: Int(8 * sigma))
    }
  }

  /// The filters to be applied one after the other.
  static func filters(sigma: Double, size: PixelSize, planes: Int = 3) -> [SeparableFilter] {
    // Below 0.1 the weight of the neighbors is under 2e-22.
    guard sigma >= 0.1, size.width > 0, size.height > 0 else { return [] }
    let step = sigma < 4 ? 1 : Int(sigma / 2)
    let coarse = SeparableFilter(
      columns: gauss(sigma, step, of: size.width), rows: gauss(sigma, step, of: size.height),
      planes: planes)
    if step == 1 { return [coarse] }
    let fine = SeparableFilter(
      columns: spline(step, count: size.width, of: coarse.size.width),
      rows: spline(step, count: size.height, of: coarse.size.height), planes: planes)
    return [coarse, fine]
  }

  /// Coarse samples lie at 0, f, 2 f… and, for the splines, one before and two after.
  private static func gauss(_ sigma: Double, _ step: Int, of count: Int) -> AxisTaps {
    let rest = step == 1 ? sigma : (sigma * sigma - Double(step * step) / 3).squareRoot()
    return AxisTaps(
      count: step == 1 ? count : (count - 1) / step + 4, of: count, radius: 4 * rest,
      position: { step == 1 ? Double($0) : Double(($0 - 1) * step) },
      kernel: { exp(-$0 * $0 / (2 * rest * rest)) })
  }

  private static func spline(_ step: Int, count: Int, of samples: Int) -> AxisTaps {
    AxisTaps(
      count: count, of: samples, radius: 2,
      position: { Double($0) / Double(step) + 1 },
      kernel: { (distance: Double) -> Double in
        let x = abs(distance)
        if x >= 2 { return 0 }
        if x >= 1 { return (2 - x) * (2 - x) * (2 - x) / 6 }
        return (4 - 6 * x * x + 3 * x * x * x) / 6
      })
  }
}
