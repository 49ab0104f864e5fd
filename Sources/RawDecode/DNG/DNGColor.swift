import Containers
package import ImageCore

/// The color tags of a DNG as stored (DNG 1.7.1 chapter 6): matrices row by row, not normalized.
package struct DNGColor: Sendable {
  /// One calibration, measured under one illuminant.
  package struct Calibration: Sendable {
    /// 0, 1 or 2: index of the numbered tags.
    package var number: Int
    /// Correlated color temperature of the illuminant in kelvin; nil if unknown.
    package var temperature: Double?
    /// Chromaticity of the illuminant; nil if unknown.
    package var illuminant: Chromaticity?
    /// XYZ to camera, planes × 3.
    package var colorMatrix: [Double]
    /// White-balanced camera to XYZ D50, 3 × planes; empty for none.
    package var forwardMatrix: [Double]
    /// Reference camera to this one, planes × planes; empty for none.
    package var cameraCalibration: [Double]
    /// Camera to three channels, 3 × planes; empty for none.
    package var reductionMatrix: [Double]
  }

  /// Properties declared by raws other than DNGs.
  package struct Capture: Sendable {
    /// Camera values of a neutral as shot; empty for unknown.
    package var neutral: [Double] = []
    /// Gains that the stored samples already include; empty for none.
    package var analogBalance: [Double] = []
  }

  /// Up to three calibrations; none for monochrome files.
  package let calibrations: [Calibration]
  /// Gains that the stored samples already include; empty for none.
  package let analogBalance: [Double]
  /// Camera values of a neutral as shot; empty for none.
  package let asShotNeutral: [Double]
  /// Chromaticity of the as-shot white.
  package let asShotWhite: Chromaticity?

  private typealias Numbers = (
    cm: UInt16, cc: UInt16, fm: UInt16, rm: UInt16, illuminant: UInt16, data: UInt16
  )
  private static let sets: [Numbers] = [
    (
      DNGTag.colorMatrix1, DNGTag.cameraCalibration1, DNGTag.forwardMatrix1,
      DNGTag.reductionMatrix1, DNGTag.calibrationIlluminant1, DNGTag.illuminantData1
    ),
    (
      DNGTag.colorMatrix2, DNGTag.cameraCalibration2, DNGTag.forwardMatrix2,
      DNGTag.reductionMatrix2, DNGTag.calibrationIlluminant2, DNGTag.illuminantData2
    ),
    (
      DNGTag.colorMatrix3, DNGTag.cameraCalibration3, DNGTag.forwardMatrix3,
      DNGTag.reductionMatrix3, DNGTag.calibrationIlluminant3, DNGTag.illuminantData3
    ),
  ]

  /// `profile` finds the tags of a camera profile, `shared` the common tags of the file; `capture`
  /// replaces the latter.
  init(
    profile: (UInt16) -> TIFFEntry?, shared: (UInt16) -> TIFFEntry?, capture: Capture? = nil
  ) throws(TagFault) {
    // Calibration matrices apply to the profile only if both signatures agree.
    let signature = profile(DNGTag.profileCalibrationSignature)?.text ?? ""
    let usesCalibration = (shared(DNGTag.cameraCalibrationSignature)?.text ?? "").isSame(
      as: signature)
    var found: [Calibration] = []
    for (number, set) in Self.sets.enumerated() {
      guard let matrix = profile(set.cm)?.numbers, [9, 12].contains(matrix.count) else { continue }
      let illuminant = try DNGIlluminant(
        profile(set.illuminant)?.integer ?? 0, data: profile(set.data), number: number + 1)
      found.append(
        Calibration(
          number: number, temperature: illuminant?.temperature, illuminant: illuminant?.white,
          colorMatrix: matrix, forwardMatrix: profile(set.fm)?.numbers ?? [],
          cameraCalibration: usesCalibration ? shared(set.cc)?.numbers ?? [] : [],
          reductionMatrix: profile(set.rm)?.numbers ?? []))
    }
    let planes = found.first?.colorMatrix.count
    calibrations = found.filter { $0.colorMatrix.count == planes }
    analogBalance = capture?.analogBalance ?? shared(DNGTag.analogBalance)?.numbers ?? []
    asShotNeutral = capture?.neutral ?? shared(DNGTag.asShotNeutral)?.numbers ?? []
    let xy = shared(DNGTag.asShotWhiteXY)?.numbers ?? []
    asShotWhite = xy.count == 2 && xy[1] > 0 ? Chromaticity(x: xy[0], y: xy[1]) : nil
  }
}
