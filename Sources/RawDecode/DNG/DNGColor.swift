import Containers
package import ImageCore

/// The color tags of a DNG as stored (DNG 1.7.1 chapter 6): matrices row by row, nothing
/// normalized.
package struct DNGColor: Sendable {
  /// One calibration: what was measured under one illuminant.
  package struct Calibration: Sendable {
    /// 0, 1 or 2: which of the numbered tags it is, less 1.
    package var number: Int
    /// Correlated color temperature of the illuminant in kelvin; nil when unknown.
    package var temperature: Double?
    /// Chromaticity of the illuminant; nil when unknown.
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

  /// What raws other than DNGs declare about their samples.
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
    cm: UInt16, cc: UInt16, fm: UInt16, rm: UInt16, light: UInt16, data: UInt16
  )
  private static let sets: [Numbers] = [
    (50721, 50723, 50964, 50725, 50778, 52533), (50722, 50724, 50965, 50726, 50779, 52534),
    (52531, 52530, 52532, 52538, 52529, 52535),
  ]

  /// `profile` finds the tags of a camera profile, `shared` those that all profiles of a file
  /// share; `capture` replaces the latter.
  init(
    profile: (UInt16) -> TIFFEntry?, shared: (UInt16) -> TIFFEntry?, capture: Capture? = nil
  ) throws(RAWError) {
    // Calibration matrices belong to the profile only when both signatures agree.
    let signature = profile(50932)?.text ?? ""
    let usesCalibration = (shared(50931)?.text ?? "").isSame(as: signature)
    var found: [Calibration] = []
    for (number, set) in Self.sets.enumerated() {
      guard let matrix = profile(set.cm)?.numbers, [9, 12].contains(matrix.count) else { continue }
      let light = try DNGIlluminant(
        profile(set.light)?.integer ?? 0, data: profile(set.data), number: number + 1)
      found.append(
        Calibration(
          number: number, temperature: light?.temperature, illuminant: light?.white,
          colorMatrix: matrix, forwardMatrix: profile(set.fm)?.numbers ?? [],
          cameraCalibration: usesCalibration ? shared(set.cc)?.numbers ?? [] : [],
          reductionMatrix: profile(set.rm)?.numbers ?? []))
    }
    let planes = found.first?.colorMatrix.count
    calibrations = found.filter { $0.colorMatrix.count == planes }
    analogBalance = capture?.analogBalance ?? shared(50727)?.numbers ?? []
    asShotNeutral = capture?.neutral ?? shared(50728)?.numbers ?? []
    let xy = shared(50729)?.numbers ?? []
    asShotWhite = xy.count == 2 && xy[1] > 0 ? Chromaticity(x: xy[0], y: xy[1]) : nil
  }
}
