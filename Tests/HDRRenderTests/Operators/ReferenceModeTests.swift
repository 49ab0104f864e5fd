import ImageCore
import Testing

@testable import HDRRender

@Suite struct ReferenceModeTests {
  @Test func statusFollowsTheDisplay() {
    #expect(ReferenceMode.headroom == 10)
    func status(_ supported: Bool, _ enabled: Bool, _ headroom: Double) -> ReferenceMode.Status {
      ReferenceMode.status(
        isSupported: supported, isEnabled: enabled, displayHeadroom: headroom)
    }
    #expect(status(true, true, 10) == .enabled)
    #expect(status(true, true, 9.9) == .limited)
    #expect(status(true, false, 16) == .notEnabled)
    #expect(status(false, true, 16) == .notSupported)
    #expect(status(true, true, .nan) == .limited)
  }

  @Test func whiteMapsToTheTarget() throws {
    let target = Chromaticity(x: 0.3135, y: 0.3300)
    for primaries in Primaries.allCases {
      let tuned = try ReferenceMode.fineTuning(white: target, luminance: 0.9, primaries: primaries)
      let xyz = primaries.toXYZ * (tuned * SIMD3(1, 1, 1))
      #expect(abs(xyz.y - 0.9) < 1e-9)
      #expect(abs(xyz.x / (xyz.x + xyz.y + xyz.z) - target.x) < 1e-9)
      #expect(abs(xyz.y / (xyz.x + xyz.y + xyz.z) - target.y) < 1e-9)
      let none = try ReferenceMode.fineTuning(white: .d65, luminance: 1, primaries: primaries)
      for r in 0..<3 { for c in 0..<3 { #expect(abs(none[r, c] - (r == c ? 1 : 0)) < 1e-9) } }
    }
    for (x, y, luminance) in [(0.0, 0.3, 1.0), (0.3, .nan, 1), (0.8, 0.3, 1), (0.3, 0.3, 0)] {
      #expect(throws: OperatorError.self) {
        try ReferenceMode.fineTuning(
          white: Chromaticity(x: x, y: y), luminance: luminance, primaries: .srgb)
      }
    }
  }
}
