import Testing

@testable import Charts

@Suite("Color difference")
struct ColorDifferenceTests {
  /// Sharma, Wu & Dalal 2005, table 1: two colors and their ΔE00.
  private static let published: [(SIMD3<Double>, SIMD3<Double>, Double)] = [
    ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
    ([50.0, 3.1571, -77.2803], [50.0, 0.0, -82.7485], 2.8615),
    ([50.0, 2.8361, -74.02], [50.0, 0.0, -82.7485], 3.4412),
    ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, -1.1848, -84.8006], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, -0.9009, -85.5211], [50.0, 0.0, -82.7485], 1.0),
    ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
    ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.001], 7.1792),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
    ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0012], 7.2195),
    ([50.0, -0.001, 2.49], [50.0, 0.0009, -2.49], 4.8045),
    ([50.0, -0.001, 2.49], [50.0, 0.001, -2.49], 4.8045),
    ([50.0, -0.001, 2.49], [50.0, 0.0011, -2.49], 4.7461),
    ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
    ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
    ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
    ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.903),
    ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
    ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 3.2972, 0.0], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 1.8634, 0.5757], 1.0),
    ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.335], 1.0),
    ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
    ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.263),
    ([61.2901, 3.7196, -5.3901], [61.4292, 2.248, -4.962], 1.8731),
    ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
    ([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373),
    ([36.4612, 47.858, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
    ([90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441),
    ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
    ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
    ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
  ]

  @Test("is that of the published pairs, to the last of their digits, in both directions")
  func publishedPairs() {
    for (first, second, expected) in Self.published {
      let a = LabColor(first.x, first.y, first.z)
      let b = LabColor(second.x, second.y, second.z)
      #expect(abs(ColorDifference(a, b).value - expected) <= 0.000051)
      #expect(abs(ColorDifference(b, a).value - expected) <= 0.000051)
    }
  }

  @Test("is nothing between equal colors, with parts that grow evenly from there")
  func equal() {
    let color = LabColor(52, 20, -31)
    #expect(ColorDifference(color, color).value == 0)
    let near = ColorDifference(color, LabColor(52.001, 20.002, -31.003)).parts
    let far = ColorDifference(color, LabColor(52.002, 20.004, -31.006)).parts
    for c in 0..<3 { #expect(abs(far[c] - 2 * near[c]) < 1e-3 * abs(far[c])) }
  }

  @Test("takes XYZ to L*a*b* and back")
  func lab() {
    for color in ColorChecker.after2014.lab + [LabColor(2, 1, -1)] {
      let back = LabColor(color.xyz())
      #expect(abs(back.lightness - color.lightness) < 1e-9)
      #expect(abs(back.a - color.a) < 1e-9)
      #expect(abs(back.b - color.b) < 1e-9)
    }
    // CIE 15: a perfect white, and 18 % gray.
    #expect(abs(LabColor(SIMD3(0.9643, 1, 0.8251) * 0.18).lightness - 49.496) < 0.001)
  }
}
