import ImageCore

/// The colors of inks without a profile: offset printing on coated paper.
///
/// Source: the Neugebauer equations. A print of four screens is 16 colors side by side, bare paper,
/// the inks and all their overprints, weighted by the area that the dots cover, independently of
/// each other (Demichel). Dots are larger in print than in the file: a coverage of c becomes c +
/// 4·g·c·(1 − c). Colors of paper, inks and overprints are the aims of ISO 12647-2:2004/Amd 1 for
/// coated paper, CIE L*a*b* under D50; g is its dot gain at a half, 0.14, and 0.16 of black. Of
/// overprints with black, which it does not state, lightness runs from 9 with all inks to 16 of
/// black alone. XYZ is relative to the paper and adapted to D65, and the darkest print is
/// subtracted (black point compensation, linear in XYZ).
///
/// Against a profile of another kind of press (SWOP) random mixes are off by 5.2 of CIE 1976 in the
/// mean, where (1 − c)·(1 − k) as sRGB is off by 19.6.
enum OffsetPress {
  /// For people.
  static let name = "offset printing on coated paper (ISO 12647-2)"

  private static let gain = SIMD4<Float>(0.14, 0.14, 0.14, 0.16)

  /// CIE L*a*b* without black ink: bit 0 of the index is cyan, 1 magenta, 2 yellow.
  private static let aims: [SIMD3<Double>] = [
    SIMD3(95, 0, -2), SIMD3(55, -37, -50), SIMD3(48, 74, -3), SIMD3(24, 17, -46),
    SIMD3(89, -5, 93), SIMD3(50, -65, 27), SIMD3(47, 68, 48), SIMD3(23, 0, 0),
  ]
  private static let (blackAlone, blackest) = (16.0, 9.0)

  /// Linear BT.2020 of paper, inks and overprints; bit 3 of the index is black.
  private static let colors: [SIMD3<Float>] = {
    let range = aims[0].x - aims[7].x
    let black = aims.map { color in
      SIMD3(blackest + (blackAlone - blackest) * (color.x - aims[7].x) / range, 0, 0)
    }
    let linear = (aims + black).map { CIELab.xyz($0) }
    let (paper, darkest) = (linear[0], linear[15] / linear[0])
    return linear.map { xyz in
      SIMD3<Float>(CIELab.toBT2020 * (CIELab.white * (xyz / paper - darkest) / (1 - darkest)))
    }
  }()

  /// Writes linear BT.2020 of `count` pixels of four inks, each 0…100 % of the paper.
  static func print(
    _ inks: UnsafePointer<Float>, as linear: UnsafeMutablePointer<Float>, count: Int
  ) {
    let colors = colors
    for i in 0..<count {
      let stored = unsafe SIMD4(inks[4 * i], inks[4 * i + 1], inks[4 * i + 2], inks[4 * i + 3])
      let c = stored / 100
      let covered = c + 4 * gain * c * (1 - c)
      let bare = 1 - covered
      var sum = SIMD3<Float>()
      for index in 0..<16 {
        var weight: Float = 1
        for ink in 0..<4 { weight *= index >> ink & 1 == 1 ? covered[ink] : bare[ink] }
        sum += weight * colors[index]
      }
      unsafe (linear[3 * i], linear[3 * i + 1], linear[3 * i + 2]) = (sum.x, sum.y, sum.z)
    }
  }
}
