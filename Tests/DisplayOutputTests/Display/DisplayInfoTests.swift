import ImageCore
import TestSupport
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct DisplayInfoTests {
  @Test func headroomsAreHeld() {
    #expect(
      DisplayInfo.headless.currentHeadroom == 1 && DisplayInfo.headless.potentialHeadroom == 1)
    let display = DisplayInfo(potentialHeadroom: 8, currentHeadroom: 3)
    #expect(display.currentHeadroom == 3)
    #expect(display.showing(currentHeadroom: 20).currentHeadroom == 8)
    #expect(display.showing(currentHeadroom: .nan).currentHeadroom == 1)
    #expect(DisplayInfo(potentialHeadroom: 5).currentHeadroom == 5)
    for bad in [Double.nan, -3, 0] {
      #expect(DisplayInfo(potentialHeadroom: bad) == .init(potentialHeadroom: 1))
    }
  }

  @Test func knownDisplays() throws {
    for (name, headroom) in [
      ("iPhone 14", 8.0), ("ipad pro 12.9", 16), ("MacBook Pro", 16), ("Pro Display XDR", 400),
      ("other", 2), ("headless", 1),
    ] {
      #expect(try #require(DisplayInfo.known(name)).potentialHeadroom == headroom)
    }
    #expect(DisplayInfo.known("typewriter") == nil)
    #expect(Set(DisplayInfo.known.map(\.name)).count == DisplayInfo.known.count)
  }

  @Test func thresholdsDecideByThePotentialHeadroom() {
    let dimmed = DisplayInfo(potentialHeadroom: 2, currentHeadroom: 1)
    #expect(dimmed.showsHighRange() && !dimmed.showsHighRange(above: 2))
    #expect(!DisplayInfo.headless.showsHighRange())
  }

  @Test func referenceStatusFollowsTheDisplay() {
    func status(_ now: Double, supported: Bool = true, enabled: Bool = true) -> ReferenceMode.Status
    {
      DisplayInfo(
        potentialHeadroom: 16, currentHeadroom: now, isReferenceModeSupported: supported,
        isReferenceModeEnabled: enabled
      ).referenceStatus
    }
    #expect(status(10) == .enabled && status(9) == .limited)
    #expect(status(16, enabled: false) == .notEnabled)
    #expect(status(16, supported: false) == .notSupported)
  }

  /// Rendered values never exceed the current headroom of the display, whatever its potential one.
  @Test func picturesAreRenderedForTheHeadroomOfNow() {
    let picture = DisplayPicture(EditScene.ramps(8))
    let display = DisplayInfo(potentialHeadroom: 8, currentHeadroom: 2)
    let rendered = EditScene.image(DisplayRendering(.high, on: display)(picture))
    for x in 0..<50 { #expect(rendered[x, 0].max() <= 2) }
    let full = DisplayRendering(.high, on: display.showing(currentHeadroom: 8))(picture)
    #expect(EditScene.isSame(full, EditScene.ramps(8)))
  }
}
