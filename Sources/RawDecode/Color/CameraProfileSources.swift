import ImageCore

extension CameraProfile {
  /// The profile described by the color tags of a DNG; nil if there is none or it is unusable.
  package init?(_ color: DNGColor) {
    guard let first = color.calibrations.first else { return nil }
    if first.colorMatrix.count == 12 {
      guard let profile = Self.fourColor(color) else { return nil }
      self = profile
      return
    }
    func matrix(_ values: [Double]) -> Matrix3? { values.count == 9 ? Matrix3(values) : nil }
    var asShot = AsShot.unknown
    if let neutral = Self.triple(color.asShotNeutral), neutral.min() > 0 {
      asShot = .neutral(neutral)
    } else if let white = color.asShotWhite {
      asShot = .white(white)
    }
    let balance = Self.triple(color.analogBalance).flatMap { $0.min() > 0 ? $0 : nil }
    self.init(
      calibrations: color.calibrations.compactMap { set in
        matrix(set.colorMatrix).map {
          Calibration(
            temperature: set.temperature, illuminant: set.illuminant, colorMatrix: $0,
            forwardMatrix: matrix(set.forwardMatrix),
            cameraCalibration: matrix(set.cameraCalibration) ?? .identity)
        }
      },
      analogBalance: balance ?? SIMD3(1, 1, 1), asShot: asShot)
  }

  /// The profile of a camera with `colors` channels from its matrix XYZ D65 → camera, one row of
  /// three for each channel, and its white balance gains; `isBalanced` if the data already include
  /// these gains. `tungsten` is the matrix for illuminant A of a three-channel camera; empty for
  /// none.
  package init?(
    matrix: [Double], tungsten: [Double] = [], colors: Int, gains: [Double]?, isBalanced: Bool
  ) {
    let neutral = gains.map { $0.map { 1 / $0 } } ?? []
    if colors == 4 {
      self.init(fourColorMatrix: Array(matrix.prefix(12)), neutral: neutral)
      return
    }
    guard matrix.count >= 9, matrix.prefix(9).contains(where: { $0 != 0 }) else { return nil }
    guard let set = Calibration(daylightMatrix: Matrix3(Array(matrix.prefix(9)))) else {
      return nil
    }
    let sets = [Calibration.illuminantA(tungsten), set].compactMap { $0 }
    guard let neutral = Self.triple(Array(neutral.prefix(3))) else {
      self.init(calibrations: sets, asShot: .unknown)
      return
    }
    if isBalanced {
      self.init(
        calibrations: sets, analogBalance: neutral.max() / neutral,
        asShot: .neutral(SIMD3(1, 1, 1)))
    } else {
      self.init(calibrations: sets, asShot: .neutral(neutral))
    }
  }

  /// A four-color camera: the pseudo-inverse P of its matrix converts camera values to XYZ; the
  /// three channels of the profile are linear BT.2020 derived from that, scaled so that a neutral
  /// under D65 preserves its largest value.
  private init?(fourColorMatrix m: [Double], neutral: [Double]) {
    guard m.count == 12 else { return nil }
    let rows = (0..<4).map { SIMD3(m[3 * $0], m[3 * $0 + 1], m[3 * $0 + 2]) }
    var square = Matrix3(diagonal: SIMD3(0, 0, 0))
    for i in 0..<3 {
      for j in 0..<3 { square[i, j] = rows.reduce(0) { $0 + $1[i] * $1[j] } }
    }
    guard let inverse = square.inverse else { return nil }
    let toRGB = Primaries.bt2020.fromXYZ
    let columns = rows.map { toRGB * (inverse * $0) }
    let full = rows.map { ($0 * Chromaticity.d65.xyz).sum() }.max() ?? 1
    guard full > 0 else { return nil }
    let reduction = (0..<3).flatMap { channel in columns.map { $0[channel] * full } }
    var asShot = AsShot.unknown
    if neutral.count == 4, neutral.allSatisfy({ $0 > 0 && $0.isFinite }) {
      let values = (0..<3).map { row in
        (0..<4).reduce(0) { $0 + reduction[4 * row + $1] * neutral[$1] }
      }
      if let triple = Self.triple(values), triple.min() > 0 { asShot = .neutral(triple) }
    }
    self.init(
      calibrations: [Calibration(temperature: 6500, colorMatrix: toRGB)], asShot: asShot)
    fourColorReduction = reduction
  }

  static func triple(_ values: [Double]) -> SIMD3<Double>? {
    values.count == 3 && values.allSatisfy(\.isFinite)
      ? SIMD3(values[0], values[1], values[2]) : nil
  }
}

extension CameraProfile.Calibration {
  /// The calibration of a camera with a single matrix from XYZ under D65 to camera values. White
  /// balance happens in camera values: balanced values become XYZ by the inverse of the matrix
  /// whose rows are scaled to sum to 1 for D65, whatever the illuminant. dcraw and LibRaw do this
  /// with their tables; adaptation in XYZ instead changes dark blues by up to 6 %.
  init?(daylightMatrix m: Matrix3) { self.init(matrix: m, temperature: 6500, white: .d65) }

  /// The calibration of nine values, row by row, under D65; nil for another count.
  package static func daylight(_ matrix: [Double]) -> Self? {
    matrix.count == 9 ? Self(daylightMatrix: Matrix3(matrix)) : nil
  }

  /// The same under illuminant A, as in DNGs.
  package static func illuminantA(_ matrix: [Double]) -> Self? {
    guard matrix.count == 9 else { return nil }
    return Self(
      matrix: Matrix3(matrix), temperature: 2850, white: Chromaticity(x: 0.4476, y: 0.4074))
  }

  /// The same for another illuminant of `temperature` and chromaticity `illuminant`.
  init?(matrix m: Matrix3, temperature: Double, white illuminant: Chromaticity) {
    let white = m * illuminant.xyz
    guard let inverse = m.inverse, white.min() > 0 else { return nil }
    self.init(
      temperature: temperature, colorMatrix: m,
      forwardMatrix: ChromaticAdaptation.bradford(from: illuminant, to: .d50) * inverse
        * Matrix3(diagonal: white))
  }
}
