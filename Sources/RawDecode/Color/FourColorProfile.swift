import ImageCore

extension CameraProfile {
  /// The profile of a four-color DNG (DNG 1.7.1 chapter 6 for n = 4).
  ///
  /// Four channels are reduced to three by one matrix R to linear BT.2020; every calibration then
  /// is 3 × 3. With A = AB·CC·CM of the last calibration, daylight by convention, and H its
  /// ReductionMatrix, or Aᵀ if there is none (least squares): R = BT.2020 · (H·A)⁻¹ · H. With
  /// forward matrices R is the reference's M = FM · diag(1 / ((AB·CC)⁻¹·w)) · (AB·CC)⁻¹ for the
  /// as-shot illuminant, w its camera values; other whites are adapted in BT.2020. Forward matrices
  /// are used if CameraCalibration is diagonal, as in all known files.
  static func fourColor(_ color: DNGColor) -> CameraProfile? {
    let sets = color.calibrations.filter { $0.colorMatrix.count == 12 }
    let gains = color.analogBalance.count == 4 ? color.analogBalance : [1, 1, 1, 1]
    guard let last = sets.last, gains.allSatisfy({ $0 > 0 }) else { return nil }
    let matrices = sets.map { cameraRows($0, gains: gains) }
    let rows = matrices[matrices.count - 1]
    var hint = rows
    if last.reductionMatrix.count == 12 {
      let h = last.reductionMatrix
      hint = (0..<4).map { SIMD3(h[$0], h[4 + $0], h[8 + $0]) }
    }
    guard let inverse = product(hint, rows).inverse else { return nil }
    let columns = hint.map { Primaries.bt2020.fromXYZ * (inverse * $0) }
    guard
      let plain = CameraProfile(
        columns: columns, matrices: matrices, sets: sets, forward: nil, color: color)
    else { return nil }

    // Two rows of forward matrices, both for the as-shot white.
    let white = plain.asShotWhite
    let weights = plain.calibrationWeights(for: white)
    let forwards = zip(sets, weights).filter { $0.0.forwardMatrix.count == 12 }
    let sum = forwards.reduce(0) { $0 + $1.1 }
    guard sum > 0, sets.allSatisfy(isDiagonal) else { return plain }
    let values = (0..<4).map { channel in
      zip(matrices, weights).reduce(0) { $0 + ($1.0[channel] * white.xyz).sum() * $1.1 }
    }
    guard let largest = values.max(), largest > 0 else { return plain }
    let toRGB = ProPhoto.bt2020FromXYZ
    let mixed = (0..<4).map { channel in
      forwards.reduce(SIMD3<Double>()) { total, part in
        let f = part.0.forwardMatrix
        return total + SIMD3(f[channel], f[4 + channel], f[8 + channel]) * (part.1 / sum)
      }
    }
    let level = mixed.reduce(SIMD3<Double>()) { $0 + $1 }
    guard level.min() > 0 else { return plain }
    // With CC diagonal, diag(1 / ((AB·CC)⁻¹·w)) · (AB·CC)⁻¹ is diag(1 / w).
    let made = (0..<4).map { channel in
      toRGB * (mixed[channel] * Chromaticity.d50.xyz / level)
        / max(values[channel] / largest, 0.001)
    }
    let forward = ChromaticAdaptation.bradford(from: .d65, to: .d50) * Primaries.bt2020.toXYZ
    return CameraProfile(
      columns: made, matrices: matrices, sets: sets, forward: forward, color: color) ?? plain
  }

  /// The profile in the three channels computed by `columns` (one for each camera channel).
  private init?(
    columns: [SIMD3<Double>], matrices: [[SIMD3<Double>]], sets: [DNGColor.Calibration],
    forward: Matrix3?, color: DNGColor
  ) {
    func reduced(_ values: [Double]) -> SIMD3<Double> {
      zip(columns, values).reduce(SIMD3<Double>()) { $0 + $1.0 * $1.1 }
    }
    var asShot = AsShot.unknown
    if color.asShotNeutral.count == 4, color.asShotNeutral.allSatisfy({ $0 > 0 && $0.isFinite }) {
      let values = reduced(color.asShotNeutral)
      if values.min() > 0 { asShot = .neutral(values) }
    } else if let white = color.asShotWhite {
      asShot = .white(white)
    }
    // A neutral preserves its largest value, so that 1 remains the saturation level.
    let daylight = matrices[matrices.count - 1].map { ($0 * Chromaticity.d65.xyz).sum() }
    let (before, after) = (daylight.max() ?? 0, reduced(daylight).max())
    guard before > 0, after > 0 else { return nil }
    let scale = before / after
    self.init(
      calibrations: zip(sets, matrices).map { set, rows in
        Calibration(
          temperature: set.temperature, illuminant: set.illuminant,
          colorMatrix: Self.product(columns, rows), forwardMatrix: forward)
      }, asShot: asShot)
    fourColorReduction = (0..<3).flatMap { channel in columns.map { $0[channel] * scale } }
  }

  /// Σ aᵢ bᵢᵀ: a 3 × 4 matrix, given by columns, times a 4 × 3 matrix, given by rows.
  private static func product(_ a: [SIMD3<Double>], _ b: [SIMD3<Double>]) -> Matrix3 {
    var sum = Matrix3(diagonal: SIMD3(0, 0, 0))
    for (x, y) in zip(a, b) {
      for row in 0..<3 { for column in 0..<3 { sum[row, column] += x[row] * y[column] } }
    }
    return sum
  }

  /// Rows of AB·CC·CM.
  private static func cameraRows(
    _ set: DNGColor.Calibration, gains: [Double]
  ) -> [SIMD3<Double>] {
    let m = set.colorMatrix
    let reference = (0..<4).map { SIMD3(m[3 * $0], m[3 * $0 + 1], m[3 * $0 + 2]) }
    guard set.cameraCalibration.count == 16 else {
      return (0..<4).map { reference[$0] * gains[$0] }
    }
    return (0..<4).map { row in
      var sum = SIMD3<Double>()
      for column in 0..<4 { sum += reference[column] * set.cameraCalibration[4 * row + column] }
      return sum * gains[row]
    }
  }

  private static func isDiagonal(_ set: DNGColor.Calibration) -> Bool {
    let c = set.cameraCalibration
    return c.count != 16 || (0..<16).allSatisfy { $0 % 5 == 0 ? c[$0] > 0 : c[$0] == 0 }
  }
}
