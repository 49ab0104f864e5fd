package import ImageCore

/// The colour tags of a DNG as stored (DNG 1.7.1 chapter 6): matrices row by row, nothing normalised.
package struct DNGColor: Sendable {
  /// One calibration: what was measured under one light.
  package struct Calibration: Sendable {
    /// Correlated colour temperature of the light in kelvin; nil when unknown.
    package var temperature: Double?
    /// XYZ to camera, planes × 3.
    package var colorMatrix: [Double]
    /// White-balanced camera to XYZ D50, 3 × planes; empty for none.
    package var forwardMatrix: [Double]
    /// Reference camera to this one, planes × planes; empty for none.
    package var cameraCalibration: [Double]
    /// Camera to three channels, 3 × planes; empty for none.
    package var reductionMatrix: [Double]
  }

  /// One or two calibrations; none for monochrome files.
  package let calibrations: [Calibration]
  /// Whether a third calibration is there, which is not used.
  package let hasThirdCalibration: Bool
  /// Gains that the stored numbers already carry; empty for none.
  package let analogBalance: [Double]
  /// Camera values of a neutral as shot; empty for none.
  package let asShotNeutral: [Double]
  /// Chromaticity of the light as shot.
  package let asShotWhite: Chromaticity?

  init(_ tag: (UInt16) -> TIFFEntry?, bigEndian: Bool) {
    func values(_ number: UInt16) -> [Double] { tag(number)?.numbers ?? [] }
    // Calibration matrices belong to the profile only when both signatures agree.
    let usesCalibration = (tag(50931)?.text ?? "") == (tag(50932)?.text ?? "")
    let sets: [(cm: UInt16, cc: UInt16, fm: UInt16, rm: UInt16, light: UInt16, data: UInt16)] = [
      (50721, 50723, 50964, 50725, 50778, 52533), (50722, 50724, 50965, 50726, 50779, 52534),
    ]
    calibrations = sets.compactMap { set in
      let matrix = values(set.cm)
      guard matrix.count >= 9, matrix.count % 3 == 0, matrix.count <= 12 else { return nil }
      return Calibration(
        temperature: Self.temperature(
          tag(set.light)?.integer ?? 0, custom: tag(set.data), bigEndian: bigEndian),
        colorMatrix: matrix, forwardMatrix: values(set.fm),
        cameraCalibration: usesCalibration ? values(set.cc) : [], reductionMatrix: values(set.rm))
    }
    hasThirdCalibration = tag(52531) != nil
    analogBalance = values(50727)
    asShotNeutral = values(50728)
    let xy = values(50729)
    asShotWhite = xy.count == 2 && xy[1] > 0 ? Chromaticity(x: xy[0], y: xy[1]) : nil
  }

  /// Temperature of an Exif LightSource as the DNG SDK assigns it; 255 names its own chromaticity.
  private static func temperature(
    _ light: Int, custom: TIFFEntry?, bigEndian: Bool
  ) -> Double? {
    switch light {
    case 3, 17: return 2850
    case 24: return 3200
    case 23: return 5000
    case 1, 4, 9, 18, 20: return 5500
    case 10, 19, 21: return 6500
    case 11, 22: return 7500
    case 12: return 6400
    case 13: return 5050
    case 2, 14: return 4150
    case 15: return 3525
    case 16: return 2925
    case 255:
      guard let custom, custom.bytes.count >= 18,
        custom.file.integer(UInt16.self, at: custom.offset, bigEndian: bigEndian) == 0
      else { return nil }
      // Two unsigned fractions behind the kind.
      let parts = (0..<4).compactMap {
        custom.file.integer(UInt32.self, at: custom.offset + 2 + 4 * $0, bigEndian: bigEndian)
      }
      guard parts.count == 4, parts[0] > 0, parts[1] > 0, parts[2] > 0, parts[3] > 0 else {
        return nil
      }
      let white = Chromaticity(
        x: Double(parts[0]) / Double(parts[1]), y: Double(parts[2]) / Double(parts[3]))
      return WhiteBalance(white).temperature
    default: return nil
    }
  }
}
