import Foundation
import ImageCore
import TestSupport
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct HLGOnStandardDisplayTests {
  private func displayed(_ nits: [Double]) throws -> [Float] {
    let pixels = EditScene.picture(nits.count, 1, headroom: 50, primaries: .bt2020) { x, _ in
      SIMD3(repeating: Float(nits[x] / ReferenceWhite.nits))
    }
    let image = EditScene.image(try HLGOnStandardDisplay(pixels))
    return nits.indices.map { image[$0, 0].y }
  }

  /// 0.749877^2.4 and 0.5^2.4.
  @Test func signalsAreDisplayedByBT1886() throws {
    let found = try displayed([203, 50.697, 1000, 0])
    for (a, b) in zip(found, [Float(0.50118), 0.18946, 1, 0]) { #expect(abs(a - b) < 2e-5) }
  }

  @Test func nothingExceedsWhiteAndGraysRise() throws {
    let found = try displayed((0..<200).map { Double($0) * 30 } + [.infinity, -50])
    for (a, b) in zip(found.prefix(200), found.dropFirst().prefix(199)) { #expect(b >= a) }
    #expect(found.allSatisfy { (0...1).contains($0) } && found[60] == 1)
    #expect(throws: OperatorError.self) { try HLGOnStandardDisplay(EditScene.noise()) }
  }
}
