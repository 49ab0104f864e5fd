import Codecs
import Containers
import Foundation
import ImageCore

/// ICC profiles (ICC.1:2022, versions 2 and 4) as ``ColorDescription``s.
///
/// In this order: `cicp` with known code points; lookup tables (D2B, A2B), which become
/// ``ProfileLookup``; matrix profiles; gray profiles. Relative colorimetric, PCS white = 1.0. A PQ
/// or HLG profile without `cicp` is recognized by its curve (``CurveRecognition``), whatever its
/// white is. ``InkLookup`` reads profiles of inks. Known failure: a profile whose tables map tones
/// for a display is read up to its own white.
enum ICCReader {
  /// The name of a profile without one.
  static let unnamed = "unnamed profile"
  /// Samples of a curve that is not a known function.
  static let curveSamples = 4096
  /// The note on a profile without a description.
  static let damagedNote = "its ICC profile is damaged or of another kind and was left out"

  /// The encoding that `profile` describes; nil where it is damaged or neither RGB nor gray, and is
  /// ignored.
  static func description(of profile: [UInt8]) -> ColorDescription? {
    guard let table = ICCTagTable(profile), let handle = LCMSHandle(profile), handle.model != .cmyk
    else { return nil }
    let name = handle.name ?? Self.unnamed
    if handle.model == .rgb, let found = codePoints(table, profile, name) { return found }
    if handle.model == .rgb, table.hasLookup, let lookup = ProfileLookup(profile) {
      if let transfer = CurveRecognition.highDynamicRange({ lookup.gray($0) }),
        let (primaries, matrix) = space(lookup)
      {
        return ColorDescription(
          primaries: primaries, transfer: transfer, matrix: matrix, origin: .profile,
          profile: profile, name: name)
      }
      return ColorDescription(
        primaries: .bt2020, transfer: .lookup(lookup), origin: .profile, profile: profile,
        name: name)
    }
    guard let curves = handle.curves(samples: curveSamples),
      let transfer = CurveRecognition.transfer(of: curves)
    else { return nil }
    guard handle.model == .rgb else {
      return ColorDescription(
        primaries: .srgb, transfer: transfer, origin: .profile, profile: profile, name: name)
    }
    guard let colorants = handle.colorants,
      let (primaries, matrix) = space(colorants, chad: table.adaptation)
    else { return nil }
    return ColorDescription(
      primaries: primaries, transfer: transfer, matrix: matrix, origin: .profile, profile: profile,
      name: name)
  }

  private static func codePoints(
    _ table: ICCTagTable, _ profile: [UInt8], _ name: String
  ) -> ColorDescription? {
    guard let points = table.codePoints, points[0] != 2, points[1] != 2,
      var found = ColorDescription(primaries: points[0], transfer: points[1], matrix: points[2])
    else { return nil }
    (found.origin, found.profile, found.name) = (.profile, profile, name)
    return found
  }

  /// Primaries and matrix of the channels of `lookup`, whose tables round.
  private static func space(_ lookup: ProfileLookup) -> (Primaries, Matrix3)? {
    func point(_ codes: SIMD3<Float>) -> Chromaticity {
      Chromaticity(xyz: Primaries.bt2020.toXYZ * lookup.linear(codes))
    }
    let half: Float = 0.5
    return ColorDescription.space(
      red: point([half, 0, 0]), green: point([0, half, 0]), blue: point([0, 0, half]),
      white: point([half, half, half]), within: 3e-3)
  }

  /// Primaries and matrix of columns `colorants` under D50. Where they are, before adaptation,
  /// known ones, the matrix is the identity; without `chad`, the white may be D50, or Bradford
  /// adaptation from D65 is assumed.
  private static func space(_ colorants: Matrix3, chad: Matrix3?) -> (Primaries, Matrix3)? {
    let native = (chad?.inverse ?? CIELab.toD65) * colorants
    let sum = colorants * SIMD3(1, 1, 1)
    let off = sum - CIELab.white
    if (off * off).sum() < 2e-3 * 2e-3,
      let known = Primaries.matching(columns: native)
        ?? (chad == nil ? Primaries.matching(columns: colorants) : nil)
    {
      return (known, .identity)
    }
    let matrix = CIELab.toBT2020 * colorants
    let values = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    guard values.allSatisfy({ $0.isFinite && abs($0) < 1e4 }) else { return nil }
    return (.bt2020, matrix)
  }
}

extension Primaries {
  /// The primaries with these XYZ columns, if any.
  fileprivate static func matching(columns: Matrix3) -> Primaries? {
    matching(
      red: Chromaticity(xyz: columns * SIMD3(1, 0, 0)),
      green: Chromaticity(xyz: columns * SIMD3(0, 1, 0)),
      blue: Chromaticity(xyz: columns * SIMD3(0, 0, 1)),
      white: Chromaticity(xyz: columns * SIMD3(1, 1, 1)))
  }

  /// The primaries with these chromaticities, within `distance` in x and y, if any.
  static func matching(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    within distance: Double = 1e-3
  ) -> Primaries? {
    func near(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
      abs(a.x - b.x) < distance && abs(a.y - b.y) < distance
    }
    return allCases.first { candidate in
      let c = candidate.chromaticities
      return near(red, c.red) && near(green, c.green) && near(blue, c.blue)
        && near(white, candidate.white)
    }
  }
}

extension ColorDescription {
  /// Primaries and matrix for channels with these chromaticities: one of `Primaries`, else
  /// BT.2020; nil when they are degenerate.
  static func space(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    within distance: Double = 1e-3
  ) -> (Primaries, Matrix3)? {
    let points = [red, green, blue, white]
    guard points.allSatisfy({ abs($0.x) < 2 && abs($0.y) < 2 && abs($0.y) > 1e-4 }), white.x > 0,
      white.y > 0, white.x + white.y < 1
    else { return nil }
    if let known = Primaries.matching(
      red: red, green: green, blue: blue, white: white, within: distance)
    {
      return (known, .identity)
    }
    return conversion(red: red, green: green, blue: blue, white: white, to: .bt2020).flatMap {
      let values = $0.rows.flatMap { [$0.x, $0.y, $0.z] }
      return values.allSatisfy { $0.isFinite && abs($0) < 1e4 } ? (.bt2020, $0) : nil
    }
  }
}
