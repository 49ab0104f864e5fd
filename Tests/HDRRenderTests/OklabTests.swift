import Foundation
import ImageCore
import Testing

@testable import HDRRender

@Suite struct OklabTests {
  /// From the published table: linear sRGB to Lab.
  @Test func publishedValues() {
    let toBT2020 = Primaries.srgb.conversion(to: .bt2020)
    for (rgb, lab) in [
      (SIMD3(1.0, 0, 0), SIMD3(0.627955, 0.224863, 0.125846)),
      (SIMD3(0.0, 1, 0), SIMD3(0.866440, -0.233888, 0.179498)),
      (SIMD3(0.0, 0, 1), SIMD3(0.452014, -0.032457, -0.311528)),
      (SIMD3(1.0, 1, 1), SIMD3(1, 0, 0)),
    ] {
      let difference = Oklab.lab(toBT2020 * rgb) - lab
      #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 5e-4, "\(rgb)")
    }
  }

  @Test func theInverseLeadsBack() {
    for rgb in [SIMD3(0.2, 0.7, 0.01), SIMD3(12, 3, 0.5), SIMD3(-0.1, 0.4, -0.02)] {
      let back = Oklab.rgb(Oklab.lab(rgb)) - rgb
      #expect(max(abs(back.x), abs(back.y), abs(back.z)) < 1e-9)
    }
  }

  /// Hue and saturation do not depend on exposure; grays have neither.
  @Test func isHomogeneous() {
    let lab = Oklab.lab(SIMD3(0.3, 0.1, 0.05))
    let bright = Oklab.lab(SIMD3(0.3, 0.1, 0.05) * 64)
    for i in 0..<3 { #expect(abs(bright[i] - 4 * lab[i]) < 1e-12) }
    for gray in [0.001, 0.18, 1, 20] {
      let lab = Oklab.lab(SIMD3(repeating: gray))
      #expect(abs(lab.y) < 1e-12 && abs(lab.z) < 1e-12 && abs(lab.x - cbrt(gray)) < 1e-12)
    }
  }

  @Test func theHuesOfTheWheelFollowEachOther() {
    let hues = [0.0, 30, 60, 120, 180, 240, 270, 300].map { Oklab.hue(wheel: $0) }
    #expect(abs(hues[0] - 29.2) < 0.1 && abs(hues[5] - 264.1) < 0.1)
    #expect(zip(hues, hues.dropFirst()).allSatisfy { $0 + 20 < $1 })
    #expect(abs(Oklab.hue(wheel: 360) - hues[0]) < 1e-9)
  }
}
