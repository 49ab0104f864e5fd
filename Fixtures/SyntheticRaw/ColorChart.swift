public import ImageCore

/// The 24 patches of the ColorChecker Classic as linear BT.2020, white reflectance 1 = 1.0.
///
/// Source: xyY under D50, 2° observer, "ColorChecker 2005" (GretagMacbeth; Pascale, RGB Coordinates
/// of the ColorChecker, 2006), adapted to D65 by linear Bradford.
public enum ColorChart {
  /// Columns of patches.
  public static let columns = 6
  /// Rows of patches.
  public static let rows = 4

  /// x, y, Y of each patch under D50, row by row.
  public static let xyY: [SIMD3<Double>] = [
    SIMD3(0.4316, 0.3777, 0.1008),  // dark skin
    SIMD3(0.4197, 0.3744, 0.3495),  // light skin
    SIMD3(0.2760, 0.3016, 0.1836),  // blue sky
    SIMD3(0.3703, 0.4499, 0.1325),  // foliage
    SIMD3(0.2999, 0.2856, 0.2304),  // blue flower
    SIMD3(0.2848, 0.3911, 0.4178),  // bluish green
    SIMD3(0.5295, 0.4055, 0.3118),  // orange
    SIMD3(0.2305, 0.2106, 0.1126),  // purplish blue
    SIMD3(0.5012, 0.3273, 0.1938),  // moderate red
    SIMD3(0.3319, 0.2482, 0.0637),  // purple
    SIMD3(0.3984, 0.5008, 0.4446),  // yellow green
    SIMD3(0.4957, 0.4427, 0.4357),  // orange yellow
    SIMD3(0.2018, 0.1692, 0.0575),  // blue
    SIMD3(0.3253, 0.5032, 0.2318),  // green
    SIMD3(0.5686, 0.3303, 0.1257),  // red
    SIMD3(0.4697, 0.4734, 0.5981),  // yellow
    SIMD3(0.4159, 0.2688, 0.2009),  // magenta
    SIMD3(0.2131, 0.3023, 0.1930),  // cyan
    SIMD3(0.3469, 0.3608, 0.9131),  // white
    SIMD3(0.3440, 0.3584, 0.5894),  // neutral 8
    SIMD3(0.3432, 0.3581, 0.3632),  // neutral 6.5
    SIMD3(0.3446, 0.3579, 0.1915),  // neutral 5
    SIMD3(0.3401, 0.3548, 0.0883),  // neutral 3.5
    SIMD3(0.3406, 0.3537, 0.0311),  // black
  ]

  /// Linear BT.2020 of each patch, row by row.
  public static let patches: [SIMD3<Float>] = {
    let convert =
      Primaries.bt2020.fromXYZ * ChromaticAdaptation.bradford(from: .d50, to: .d65)
    return xyY.map {
      let rgb = convert * (Chromaticity(x: $0.x, y: $0.y).xyz * $0.z)
      return SIMD3(Float(rgb.x), Float(rgb.y), Float(rgb.z))
    }
  }()
}

extension ColorChart {
  /// Linear values of a photographed chart at a column and row: patches `pitch` pixels apart, dark
  /// skin at `origin`, 86 % of which they fill, on a black border, with gray around it.
  public static func light(
    x: Int, y: Int, origin: PixelPoint, pitch: Int, patches: [SIMD3<Float>] = ColorChart.patches
  ) -> SIMD3<Float> {
    let (u, v) = (
      Float(x - origin.x) / Float(pitch), Float(y - origin.y) / Float(pitch)
    )
    guard u > -0.8, u < Float(columns) - 0.2, v > -0.8, v < Float(rows) - 0.2 else {
      return SIMD3(repeating: 0.3)
    }
    let (column, row) = (u.rounded(), v.rounded())
    guard abs(u - column) < 0.43, abs(v - row) < 0.43, column >= 0, row >= 0,
      column < Float(columns), row < Float(rows)
    else { return SIMD3(repeating: 0.035) }
    return patches[Int(row) * columns + Int(column)]
  }
}
