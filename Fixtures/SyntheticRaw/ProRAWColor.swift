import ImageCore

/// Color of a simulated ProRAW: from scene values to the values of its pixels.
///
/// Without ForwardMatrix a reader goes from camera to XYZ D50 by the inverse of s · AB · CM · A, A
/// the Bradford adaptation from D50 to the as-shot white, s so that D50 has the largest channel 1
/// (DNG 1.7.1, chapter 6). The forward way here is that product; its rows are scaled so that a
/// neutral of 1 is the as-shot neutral to the last digit. The white is found as readers find it,
/// with the temperature by McCamy (1992), a few kelvin from Robertson's at daylight.
struct ProRAWColor {
  /// Linear BT.2020 to camera values; the neutral 1 has the largest channel 1.
  let toCamera: Matrix3

  init(_ form: SyntheticProRAW.Form) {
    let balance = Matrix3(diagonal: form.analogBalance)
    let neutral = form.asShotNeutral
    var white = Chromaticity.d50
    var toCamera = Matrix3.identity
    for _ in 0..<30 {
      toCamera = balance * form.camera.colorMatrix(white)
      let xyz = (toCamera.inverse ?? .identity) * neutral
      white = Chromaticity(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
    }
    let adapt = ChromaticAdaptation.bradford(from: .d65, to: white)
    let forward = toCamera * adapt * Primaries.bt2020.toXYZ
    let sums = forward * SIMD3(1, 1, 1)
    self.toCamera = Matrix3(diagonal: neutral / neutral.max() / sums) * forward
  }

  /// Camera values to linear sRGB, 1.0 = a neutral's largest channel 1.
  var toSRGB: Matrix3 {
    Primaries.srgb.fromXYZ * Primaries.bt2020.toXYZ * (toCamera.inverse ?? .identity)
  }
}

extension SimulatedCamera {
  /// The calibration of a genuine iPhone 12 Pro, rounded to 1/10000.
  static let phone = SimulatedCamera(
    uniqueModel: "rawdev Simulated Phone back camera",
    colorMatrix1: Matrix3([
      1.2272, -0.5455, -0.2613, -0.4547, 1.5178, -0.0427, -0.0409, 0.1636, 0.5913,
    ]),
    colorMatrix2: Matrix3([
      0.9145, -0.3222, -0.1262, -0.4289, 1.3095, 0.0947, -0.1063, 0.2350, 0.4307,
    ]),
    forwardMatrix1: nil, forwardMatrix2: nil, illuminant1: 17, illuminant2: 21)

  /// ColorMatrix under `white`, between A and D65 by inverse temperature.
  fileprivate func colorMatrix(_ white: Chromaticity) -> Matrix3 {
    let n = (white.x - 0.3320) / (0.1858 - white.y)
    let kelvin = 449 * n * n * n + 3525 * n * n + 6823.3 * n + 5520.33
    let g = min(1, max(0, (1 / kelvin - 1 / 6500) / (1 / 2850 - 1 / 6500)))
    return colorMatrix1 * g + (colorMatrix2 ?? colorMatrix1) * (1 - g)
  }
}
