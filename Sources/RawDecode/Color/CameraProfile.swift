public import ImageCore

/// From camera values to linear BT.2020: the color model of DNG 1.7.1 chapter 6, with the details
/// of the DNG reference renderer.
///
/// Each calibration has a matrix from XYZ to camera values (ColorMatrix, CM), optionally one from
/// white-balanced camera values to XYZ D50 (ForwardMatrix, FM), and this camera's own deviation
/// (CameraCalibration, CC); AnalogBalance AB are gains already in the data. With two or three
/// calibrations everything is interpolated for the chosen white (`CalibrationWeights`). With w the
/// camera values of that white, divided by the largest: with FM, `M = FM · diag(1 / (inv(AB·CC)·w))
/// · inv(AB·CC)`; without, the inverse of `AB·CC·CM · Bradford(D50 → white)`, scaled so that w
/// becomes D50. So 1.0 in the result is the value at which all channels are at w. CM is scaled to
/// reach 1 for D50 if it is off by over 1 %, and CM and FM are rounded to four decimals first:
/// without that the result differs from the reference by up to 0.4 %. The channels of w are clamped
/// to 0.001. Known failure: highly saturated illuminants, for which a 3 × 3 matrix gives colors
/// that do not exist.
public struct CameraProfile: Sendable, Hashable {
  /// One calibration of a camera.
  public struct Calibration: Sendable, Hashable {
    /// Correlated color temperature of its illuminant, kelvin; nil if unknown.
    public var temperature: Double?
    /// Chromaticity of its illuminant; nil to derive it from the temperature.
    public var illuminant: Chromaticity?
    /// XYZ to camera values.
    public var colorMatrix: Matrix3
    /// White-balanced camera values to XYZ D50.
    public var forwardMatrix: Matrix3?
    /// This camera relative to the reference camera.
    public var cameraCalibration: Matrix3

    /// A calibration with these matrices.
    public init(
      temperature: Double?, illuminant: Chromaticity? = nil, colorMatrix: Matrix3,
      forwardMatrix: Matrix3? = nil, cameraCalibration: Matrix3 = .identity
    ) {
      self.temperature = temperature
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
      self.cameraCalibration = cameraCalibration
    }
  }

  /// As-shot illuminant information.
  public enum AsShot: Sendable, Hashable {
    /// Camera values of a neutral, at any scale.
    case neutral(SIMD3<Double>)
    /// The chromaticity of the illuminant.
    case white(Chromaticity)
    /// Unknown; D65 is used.
    case unknown
  }

  /// The as-shot white.
  public private(set) var asShotWhite: Chromaticity = .d65
  /// Whether the file declares the as-shot white.
  public let knowsAsShotWhite: Bool
  /// Matrix from the four channels of a four-color camera to the three of this profile, row by row;
  /// empty for other cameras. Applied to linear camera values.
  public internal(set) var fourColorReduction: [Double] = []

  /// The evaluated model of one calibration, or an interpolation of several.
  private struct Model: Sendable, Hashable {
    var color: Matrix3
    var forward: Matrix3?
    var individual: Matrix3
  }
  private let models: [Model]
  private let weights: CalibrationWeights

  /// The profile of one to three calibrations. Nil if a matrix cannot be inverted.
  public init?(
    calibrations: [Calibration], analogBalance: SIMD3<Double> = SIMD3(1, 1, 1), asShot: AsShot
  ) {
    let balance = Matrix3(diagonal: analogBalance)
    let used = calibrations.prefix(3)
    weights = CalibrationWeights(used.map { ($0.temperature, $0.illuminant) })
    models = used.map { set in
      let individual = balance * set.cameraCalibration
      return Model(
        color: individual * Self.normalizedColor(set.colorMatrix),
        forward: set.forwardMatrix.flatMap(Self.normalizedForward), individual: individual)
    }
    knowsAsShotWhite = asShot != .unknown
    guard !models.isEmpty,
      models.allSatisfy({ $0.color.inverse != nil && $0.individual.inverse != nil })
    else { return nil }
    switch asShot {
    case .neutral(let values): asShotWhite = white(forNeutral: values)
    case .white(let white): asShotWhite = white
    case .unknown: asShotWhite = .d65
    }
  }

  /// A profile of one matrix from XYZ under D65 to camera values (nine values, row by row), for
  /// cameras whose files contain none. Nil if it has another size or no inverse.
  public init?(colorMatrix: [Double], asShot: AsShot = .unknown) {
    guard colorMatrix.count == 9, colorMatrix.allSatisfy(\.isFinite),
      let set = Calibration(daylightMatrix: Matrix3(colorMatrix))
    else { return nil }
    self.init(calibrations: [set], asShot: asShot)
  }

  /// Camera values of a neutral under `white`, the largest 1, none below 0.001.
  public func neutral(for white: Chromaticity) -> SIMD3<Double> {
    let values = model(for: white).color * Self.xyz(white)
    let largest = values.max()
    guard largest > 0 else { return SIMD3(1, 1, 1) }
    return (values / largest).clamped(
      lowerBound: SIMD3(repeating: 0.001), upperBound: SIMD3(repeating: 1))
  }

  /// The illuminant under which a neutral has these camera values, at any scale. Iterative, since
  /// the matrices depend on the result: at most 30 passes, to 1e-7; the last two are averaged if
  /// they oscillate.
  public func white(forNeutral neutral: SIMD3<Double>) -> Chromaticity {
    var last = Chromaticity.d50
    for pass in 0..<30 {
      guard let inverse = model(for: last).color.inverse else { return last }
      var next = Chromaticity(xyz: inverse * neutral)
      guard next.x.isFinite, next.y.isFinite else { return last }
      if abs(next.x - last.x) + abs(next.y - last.y) < 1e-7 { return next }
      if pass == 29 {
        next = Chromaticity(x: (last.x + next.x) / 2, y: (last.y + next.y) / 2)
      }
      last = next
    }
    return last
  }

  /// From linear camera values (0 black, 1 saturated, not white-balanced) to linear BT.2020, where
  /// a neutral under `white` is gray and 1.0 corresponds to camera values of `neutral(for: white)`.
  public func cameraToBT2020(white: Chromaticity) -> Matrix3 {
    ProPhoto.bt2020FromXYZ
      * cameraToD50(white: white)
  }

  /// The same for values divided by `balance`.
  public func balancedToBT2020(balance: SIMD3<Double>, white: Chromaticity) -> Matrix3 {
    cameraToBT2020(white: white) * Matrix3(diagonal: balance)
  }

  /// From linear camera values to XYZ D50, likewise.
  package func cameraToD50(white: Chromaticity) -> Matrix3 {
    let model = model(for: white)
    if let forward = model.forward, let reference = model.individual.inverse {
      let neutral = reference * neutral(for: white)
      return forward * Matrix3(diagonal: 1 / neutral) * reference
    }
    let fromD50 = model.color * ChromaticAdaptation.bradford(from: .d50, to: white)
    let largest = (fromD50 * Chromaticity.d50.xyz).max()
    guard largest > 0, let inverse = (fromD50 * (1 / largest)).inverse else { return .identity }
    return inverse
  }

  /// The weight of each calibration for `white`, with sum 1, to interpolate tables measured with
  /// them.
  package func calibrationWeights(for white: Chromaticity) -> [Double] { weights(white) }

  /// The calibrations interpolated for `white`. Those without a forward matrix are not
  /// included in it.
  private func model(for white: Chromaticity) -> Model {
    let fractions = weights(white)
    if let only = fractions.firstIndex(of: 1), models[only].forward != nil || models.count == 1 {
      return models[only]
    }
    func mix(_ parts: [(matrix: Matrix3, fraction: Double)]) -> Matrix3? {
      let sum = parts.reduce(0) { $0 + $1.fraction }
      guard let first = parts.first else { return nil }
      guard sum > 0 else { return first.matrix }
      return parts.dropFirst().reduce(first.matrix * (first.fraction / sum)) {
        $0 + $1.matrix * ($1.fraction / sum)
      }
    }
    let parts = zip(models, fractions)
    return Model(
      color: mix(parts.map { ($0.color, $1) }) ?? .identity,
      forward: mix(parts.compactMap { model, fraction in model.forward.map { ($0, fraction) } }),
      individual: mix(parts.map { ($0.individual, $1) }) ?? .identity)
  }

  private static func xyz(_ white: Chromaticity) -> SIMD3<Double> {
    let x = min(max(white.x, 1e-6), 0.999999)
    let y = min(max(white.y, 1e-6), 0.999999)
    return Chromaticity(x: x, y: y).xyz
  }

  private static func rounded(_ m: Matrix3) -> Matrix3 {
    func round(_ v: SIMD3<Double>) -> SIMD3<Double> {
      (v * 10000).rounded(.toNearestOrAwayFromZero) / 10000
    }
    return Matrix3(round(m.rows[0]), round(m.rows[1]), round(m.rows[2]))
  }

  private static func normalizedColor(_ m: Matrix3) -> Matrix3 {
    let largest = (m * Chromaticity.d50.xyz).max()
    return rounded(largest > 0 && abs(largest - 1) > 0.01 ? m * (1 / largest) : m)
  }

  /// Scales the rows so that (1, 1, 1) becomes D50; nil if that is impossible.
  private static func normalizedForward(_ m: Matrix3) -> Matrix3? {
    let m = rounded(m)
    let sum = m * SIMD3(1, 1, 1)
    guard sum.min() > 0, sum.max().isFinite else { return nil }
    return Matrix3(diagonal: Chromaticity.d50.xyz / sum) * m
  }
}
