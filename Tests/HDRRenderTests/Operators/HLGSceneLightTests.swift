import DisplayOutput
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender

@Suite struct HLGSceneLightTests {
  private func picture(_ headroom: Float = 1) -> Image<DisplayReferred> {
    EditScene.picture(40, 30, headroom: headroom, primaries: .bt2020) { x, y in
      SIMD3(Float(x) / 39, Float(y) / 29, Float((x * 7 + y * 3) % 20) / 19) * headroom
    }
  }

  /// The display shows EOTF(OETF(E)) = OOTF(E), whatever the path.
  @Test func displayValuesMatchTheSignal() throws {
    let scene = picture()
    let rendered = EditScene.image(try HLGSceneLight(scene, .toDisplay))
    let display = try HLGDisplay()
    for y in 0..<30 {
      for x in 0..<40 {
        let e = SIMD3<Double>(scene[x, y])
        let signal = SIMD3(
          HLG.signal(scene: e.x), HLG.signal(scene: e.y), HLG.signal(scene: e.z))
        let nits = display.nits(signal: signal)
        for c in 0..<3 {
          let found = Double(rendered[x, y][c]) * ReferenceWhite.nits
          #expect(abs(found - nits[c]) < 2e-5 * nits[c] + 1e-3)
        }
        #expect(rendered[x, y].max() <= rendered.info.headroom)
      }
    }
    // The OETF alone is not the inverse of the EOTF: gray of the scene gets darker.
    #expect(abs(rendered[39, 29].x - ReferenceWhite.hlgHeadroom * scene[39, 29].x) > 1e-3)
  }

  @Test func bothDirectionsUndoEachOther() throws {
    let pixels = picture(4.9)
    let scene = try HLGSceneLight(pixels, .toScene)
    let back = EditScene.image(try HLGSceneLight(scene, .toDisplay))
    let rendered = EditScene.image(scene)
    for y in 0..<30 {
      for x in 0..<40 {
        for c in 0..<3 { #expect(abs(back[x, y][c] - pixels[x, y][c]) < 2e-4) }
        #expect(rendered[x, y].max() <= rendered.info.headroom)
      }
    }
    let blue = EditScene.picture(8, 1, headroom: 4.9, primaries: .bt2020) { _, _ in SIMD3(0, 0, 4.9)
    }
    let bound = try HLGSceneLight(blue, .toScene)
    #expect(EditScene.range(bound).upperBound <= bound.info.headroom)
  }

  @Test func otherPrimariesAndDarknessAreSaid() throws {
    #expect(throws: OperatorError.self) { try HLGSceneLight(EditScene.noise(), .toScene) }
    let dark = EditScene.picture(9, 1, primaries: .bt2020) { x, _ in
      x < 4 ? SIMD3(repeating: -0.1) : SIMD3(0, 0, 0)
    }
    #expect(EditScene.range(try HLGSceneLight(dark, .toScene)) == 0...0)
    #expect(EditScene.isTileInvariant(try HLGSceneLight(picture(), .toDisplay)))
  }
}
