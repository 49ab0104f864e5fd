import ImageCore

/// The weight of each calibration of a camera for an illuminant (DNG 1.7.1 chapter 6).
///
/// Two: linear in reciprocal temperature, g = (1/T − 1/T₂) / (1/T₁ − 1/T₂) for the warmer
/// illuminant, clamped to 0…1. Three, which the specification leaves open, as in the DNG reference:
/// with illuminants as points (min(1500 / T, 1), tint / 200), weights 1 / (d² + 10⁻⁸) of the
/// squared distances, normalized to sum 1, then smoothstep, (w − 0.02) / 0.98 to drop small ones,
/// and normalized again. At the illuminant of a calibration only that calibration is used. Three
/// calibrations of which one has no known illuminant are used as the first two.
struct CalibrationWeights: Sendable, Hashable {
  private enum Model: Sendable, Hashable {
    case single(Int)
    case pair(warm: Int, cold: Int, ClosedRange<Double>)
    case triple([SIMD2<Double>])
  }
  private let model: Model
  private let count: Int

  /// `illuminants`: temperature and chromaticity of each calibration, nil if unknown.
  init(_ illuminants: [(temperature: Double?, white: Chromaticity?)]) {
    count = illuminants.count
    let points = illuminants.prefix(3).compactMap { illuminant -> SIMD2<Double>? in
      let white =
        illuminant.white
        ?? illuminant.temperature.map {
          CorrelatedColorTemperature(temperature: $0, tint: 0).chromaticity
        }
      return white.map { Self.point($0) }
    }
    if points.count == 3, Set(points).count == 3 {
      model = .triple(points)
      return
    }
    let temperatures = illuminants.prefix(2).map { $0.temperature }
    if temperatures.count == 2, let a = temperatures[0], let b = temperatures[1], a != b {
      model =
        a < b ? .pair(warm: 0, cold: 1, a...b) : .pair(warm: 1, cold: 0, b...a)
    } else {
      // Unknown or equal illuminants: the second is daylight by convention.
      model = .single(temperatures.count == 2 && temperatures[0] == nil ? 1 : 0)
    }
  }

  private static func point(_ white: Chromaticity) -> SIMD2<Double> {
    let illuminant = CorrelatedColorTemperature(white)
    return SIMD2(min(1500 / illuminant.temperature, 1), illuminant.tint / 200)
  }

  /// One weight for each calibration, with sum 1.
  func callAsFunction(_ white: Chromaticity) -> [Double] {
    var weights = [Double](repeating: 0, count: count)
    switch model {
    case .single(let index):
      if index < count { weights[index] = 1 }
    case .pair(let warm, let cold, let range):
      let (low, high) = (range.lowerBound, range.upperBound)
      let temperature = CorrelatedColorTemperature(white).temperature
      let fraction = min(max((1 / temperature - 1 / high) / (1 / low - 1 / high), 0), 1)
      weights[warm] = fraction
      weights[cold] = 1 - fraction
    case .triple(let points):
      let point = Self.point(white)
      let near = points.map { 1 / ((($0 - point) * ($0 - point)).sum() + 1e-8) }
      let all = near.reduce(0, +)
      let reduced = near.map { value in
        max((smoothstep(value / all) - 0.02) / 0.98, 0)
      }
      let sum = reduced.reduce(0, +)
      for index in 0..<3 { weights[index] = reduced[index] / sum }
    }
    return weights
  }
}
