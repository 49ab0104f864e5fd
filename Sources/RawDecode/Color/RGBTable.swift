package import ImageCore

/// The color tables of a DNG profile (RGBTables, DNG 1.7.1 chapter 6): RGB cubes, the first for the
/// complete picture, others for semantic masks.
package struct RGBTables: Sendable, Hashable {
  /// Applied in sequence, not as a weighted sum.
  package let isSequential: Bool
  /// At most ``RawDecodeLimits/rgbTables``.
  package let tables: [RGBTable]

  /// The table for pixels outside all masks.
  package var background: RGBTable? { tables.first { $0.semanticName.isEmpty } }
  /// Names of the masks required by the other tables.
  package var maskNames: [String] { tables.map(\.semanticName).filter { !$0.isEmpty } }
}

/// One cube: linear RGB of ``space``, clamped and encoded with ``gamma``, is the position in the
/// cube (tetrahedral interpolation, as in the DNG reference); the result is decoded with the same
/// curve.
package struct RGBTable: Sendable, Hashable {
  /// The curve of positions and entries.
  package enum Gamma: Int, Sendable, Hashable {
    case linear, srgb, power18, power22, bt2020
  }
  /// The RGB space of the cube.
  package enum Space: Int, Sendable, Hashable {
    case srgb, adobeRGB, displayP3, bt2020, proPhoto

    /// To linear ProPhoto RGB.
    package var toProPhoto: Matrix3 {
      switch self {
      case .srgb: ProPhoto.fromBT2020 * Primaries.srgb.conversion(to: .bt2020)
      case .displayP3: ProPhoto.fromBT2020 * Primaries.displayP3.conversion(to: .bt2020)
      case .bt2020: ProPhoto.fromBT2020
      case .proPhoto: .identity
      case .adobeRGB: ProPhoto.fromBT2020 * Primaries.bt2020.fromXYZ * Self.adobeToXYZ
      }
    }

    /// Adobe RGB (1998) to XYZ D65, SMPTE RP 177.
    private static let adobeToXYZ =
      Matrix3(
        red: Chromaticity(x: 0.64, y: 0.33), green: Chromaticity(x: 0.21, y: 0.71),
        blue: Chromaticity(x: 0.15, y: 0.06), white: .d65) ?? .identity
  }

  /// The semantic mask it applies to; empty for the rest of the picture.
  package let semanticName: String
  /// Entries per axis, 2…32.
  package let divisions: Int
  package let gamma: Gamma
  package let space: Space
  /// Whether clamped amounts are restored after the cube.
  package let extendsGamut: Bool
  /// [r][g][b][channel], 0…1.
  package let samples: [Float]
}
