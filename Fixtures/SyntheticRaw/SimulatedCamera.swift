public import ImageCore

/// The color of a camera as a DNG describes it: two calibrations whose matrices agree with one
/// another.
///
/// Each ForwardMatrix F takes white-balanced camera values to XYZ under D50, its rows summing to
/// D50. With n the camera's answer to the calibration illuminant W, the ColorMatrix (XYZ to camera)
/// that gives the same colors under W is C = diag(n) · F⁻¹ · A, A the Bradford adaptation from W
/// to D50 (DNG 1.7.1 chapter 6). Entries are rounded to 1/10000, as files store them.
public struct SimulatedCamera: Sendable, Hashable {
  /// UniqueCameraModel.
  public var uniqueModel: String
  /// ColorMatrix1, XYZ to camera.
  public var colorMatrix1: Matrix3
  /// ColorMatrix2; nil for a single calibration.
  public var colorMatrix2: Matrix3?
  /// ForwardMatrix1, balanced camera to XYZ D50; nil for none.
  public var forwardMatrix1: Matrix3?
  /// ForwardMatrix2; nil for none.
  public var forwardMatrix2: Matrix3?
  /// CalibrationIlluminant1, an Exif LightSource number.
  public var illuminant1: UInt16
  /// CalibrationIlluminant2.
  public var illuminant2: UInt16

  /// Standard illuminant A (CIE 15).
  public static let illuminantA = Chromaticity(x: 0.44757, y: 0.40745)

  /// A camera whose three channels are linear BT.2020 and whose neutral is (1, 1, 1) under D65:
  /// what goes in as RGB comes out as RGB.
  public static let neutral = SimulatedCamera(
    uniqueModel: "rawdev Simulated Neutral", colorMatrix1: Primaries.bt2020.fromXYZ.rounded,
    colorMatrix2: nil,
    forwardMatrix1: (ChromaticAdaptation.bradford(from: .d65, to: .d50) * Primaries.bt2020.toXYZ)
      .rounded,
    forwardMatrix2: nil, illuminant1: 21, illuminant2: 0)

  /// A camera with plausible colors, calibrated under A and D65.
  public static let daylight: SimulatedCamera = {
    let forwardA = Matrix3(
      SIMD3(0.6610, 0.1690, 0.1343), SIMD3(0.2580, 0.8020, -0.0600),
      SIMD3(0.0080, -0.1060, 0.9231))
    let forwardD65 = Matrix3(
      SIMD3(0.6800, 0.1500, 0.1343), SIMD3(0.2700, 0.7700, -0.0400),
      SIMD3(0.0100, -0.0900, 0.9051))
    return SimulatedCamera(
      uniqueModel: "rawdev Simulated SR-1",
      colorMatrix1: colorMatrix(forwardA, SIMD3(0.82, 1, 0.36), illuminantA),
      colorMatrix2: colorMatrix(forwardD65, SIMD3(0.49, 1, 0.69), .d65),
      forwardMatrix1: forwardA, forwardMatrix2: forwardD65, illuminant1: 17, illuminant2: 21)
  }()

  private static func colorMatrix(
    _ forward: Matrix3, _ neutral: SIMD3<Double>, _ white: Chromaticity
  ) -> Matrix3 {
    let back = forward.inverse ?? .identity
    let adapt = ChromaticAdaptation.bradford(from: white, to: .d50)
    return (Matrix3(diagonal: neutral) * back * adapt).rounded
  }

  /// Scene values in linear BT.2020 to camera values: 1.0 = the strongest channel of a white of
  /// 1.0. The illuminant is `white`, whose correlated color temperature is
  /// `kelvin`; the picture's white (1, 1, 1) is a neutral under it.
  /// - Returns: the matrix, and the camera's neutral with its largest value 1, rounded as a file
  ///   stores it.
  func sceneToCamera(white: Chromaticity, kelvin: Double) -> (Matrix3, SIMD3<Double>) {
    if colorMatrix2 == nil, forwardMatrix1 == nil {
      let neutral = colorMatrix1 * white.xyz
      let adapt = ChromaticAdaptation.bradford(from: .d65, to: white)
      let scale = 1 / neutral.max()
      return (colorMatrix1 * adapt * Primaries.bt2020.toXYZ * scale, neutral * scale)
    }
    guard let color2 = colorMatrix2, let forward1 = forwardMatrix1, let forward2 = forwardMatrix2
    else { return (.identity, SIMD3(1, 1, 1)) }
    let g = min(1, max(0, (1 / kelvin - 1 / 6500) / (1 / 2850 - 1 / 6500)))
    let neutral = (colorMatrix1 * g + color2 * (1 - g)) * white.xyz
    let stored =
      (neutral * (1_000_000 / neutral.max())).rounded(.toNearestOrAwayFromZero) / 1_000_000
    var forward = forward1 * g + forward2 * (1 - g)
    let sums = forward * SIMD3(1, 1, 1)
    forward = Matrix3(diagonal: Chromaticity.d50.xyz / sums) * forward
    let toD50 = ChromaticAdaptation.bradford(from: .d65, to: .d50) * Primaries.bt2020.toXYZ
    return (Matrix3(diagonal: stored) * (forward.inverse ?? .identity) * toD50, stored)
  }
}

extension SimulatedCamera {
  /// A camera of which nothing is known but the matrix from XYZ under D65 to its values.
  public init(model: String, matrix: Matrix3) {
    self.init(
      uniqueModel: model, colorMatrix1: matrix, colorMatrix2: nil, forwardMatrix1: nil,
      forwardMatrix2: nil, illuminant1: 21, illuminant2: 0)
  }

  /// Gains that make a neutral of this camera under `white` gray, green 1.
  public func gains(white: Chromaticity, kelvin: Double) -> SIMD3<Double> {
    let neutral = sceneToCamera(white: white, kelvin: kelvin).1
    return neutral.y / neutral
  }
}

extension Matrix3 {
  /// Entries rounded to 1/10000.
  fileprivate var rounded: Matrix3 {
    Matrix3(rows.flatMap { row in (0..<3).map { (row[$0] * 10_000).rounded() / 10_000 } })
  }
}
