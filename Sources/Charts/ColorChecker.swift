import ImageCore

/// The 24 patches of the ColorChecker Classic, row by row from dark skin to black, the neutral row
/// last.
///
/// Sources, all under D50 and for the 2° observer: X-Rite, "New color specifications for
/// ColorChecker SG and Classic Charts" (2016), L*a*b* of charts made since November 2014 and
/// before, the latter being GretagMacbeth's of 2005; colour-science lists the same numbers
/// (`CCS_COLOURCHECKERS`).
package enum ColorChecker: String, Sendable, Hashable, Codable, CaseIterable {
  /// Charts made since November 2014.
  case after2014
  /// Charts made before, as measured in 2005.
  case before2014

  /// Columns of patches.
  package static let columns = 6
  /// Rows of patches.
  package static let rows = 4
  /// The neutral patches from white to black.
  package static let neutrals = 18..<24
  /// The one of them nearest to 18 % gray.
  package static let neutral5 = 21

  /// What the patches are called.
  package static let names = [
    "dark skin", "light skin", "blue sky", "foliage", "blue flower", "bluish green", "orange",
    "purplish blue", "moderate red", "purple", "yellow green", "orange yellow", "blue", "green",
    "red", "yellow", "magenta", "cyan", "white", "neutral 8", "neutral 6.5", "neutral 5",
    "neutral 3.5", "black",
  ]

  /// L*a*b* of each patch under D50.
  package var lab: [LabColor] {
    switch self {
    case .after2014: Self.labAfter2014
    case .before2014: Self.labBefore2014
    }
  }

  /// XYZ of each patch under D50, 1 for the luminance of a perfect white.
  package var xyz: [SIMD3<Double>] { lab.map { $0.xyz() } }

  private static let labAfter2014 = [
    LabColor(37.54, 14.37, 14.92), LabColor(64.66, 19.27, 17.50), LabColor(49.32, -3.82, -22.54),
    LabColor(43.46, -12.74, 22.72), LabColor(54.94, 9.61, -24.79), LabColor(70.48, -32.26, -0.37),
    LabColor(62.73, 35.83, 56.50), LabColor(39.43, 10.75, -45.17), LabColor(50.57, 48.64, 16.67),
    LabColor(30.10, 22.54, -20.87), LabColor(71.77, -24.13, 58.19), LabColor(71.51, 18.24, 67.37),
    LabColor(28.37, 15.42, -49.80), LabColor(54.38, -39.72, 32.27), LabColor(42.43, 51.05, 28.62),
    LabColor(81.80, 2.67, 80.41), LabColor(50.63, 51.28, -14.12), LabColor(49.57, -29.71, -28.32),
    LabColor(95.19, -1.03, 2.93), LabColor(81.29, -0.57, 0.44), LabColor(66.89, -0.75, -0.06),
    LabColor(50.76, -0.13, 0.14), LabColor(35.63, -0.46, -0.48), LabColor(20.64, 0.07, -0.46),
  ]

  private static let labBefore2014 = [
    LabColor(37.986, 13.555, 14.059), LabColor(65.711, 18.130, 17.810),
    LabColor(49.927, -4.880, -21.905), LabColor(43.139, -13.095, 21.905),
    LabColor(55.112, 8.844, -25.399), LabColor(70.719, -33.397, -0.199),
    LabColor(62.661, 36.067, 57.096), LabColor(40.020, 10.410, -45.964),
    LabColor(51.124, 48.239, 16.248), LabColor(30.325, 22.976, -21.587),
    LabColor(72.532, -23.709, 57.255), LabColor(71.941, 19.363, 67.857),
    LabColor(28.778, 14.179, -50.297), LabColor(55.261, -38.342, 31.370),
    LabColor(42.101, 53.378, 28.190), LabColor(81.733, 4.039, 79.819),
    LabColor(51.935, 49.986, -14.574), LabColor(51.038, -28.631, -28.638),
    LabColor(96.539, -0.425, 1.186), LabColor(81.257, -0.638, -0.335),
    LabColor(66.766, -0.734, -0.504), LabColor(50.867, -0.153, -0.270),
    LabColor(35.656, -0.421, -1.231), LabColor(20.461, -0.079, -0.973),
  ]
}
