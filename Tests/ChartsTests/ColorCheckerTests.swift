import ImageCore
import SyntheticRaw
import Testing

@testable import Charts

@Suite("ColorChecker")
struct ColorCheckerTests {
  @Test("has the chromaticities and luminances of 2005 before November 2014")
  func before2014() {
    for (xyz, published) in zip(ColorChecker.before2014.xyz, ColorChart.xyY) {
      let white = Chromaticity(xyz: xyz)
      #expect(abs(white.x - published.x) < 0.0004)
      #expect(abs(white.y - published.y) < 0.0004)
      #expect(abs(xyz.y - published.z) < 0.0004)
    }
  }

  @Test("is nearly the same chart after it")
  func after2014() {
    let differences = zip(ColorChecker.before2014.lab, ColorChecker.after2014.lab).map {
      ColorDifference($0, $1).value
    }
    #expect(differences.count == 24)
    #expect(differences.allSatisfy { $0 < 2.5 })
    #expect(ColorChecker.names.count == 24)
    #expect(abs(ColorChecker.after2014.xyz[ColorChecker.neutral5].y - 0.19) < 0.002)
  }
}
