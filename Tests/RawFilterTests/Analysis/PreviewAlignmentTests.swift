import ImageCore
import Testing

@testable import RawFilter

@Suite struct PreviewAlignmentTests {
  /// Crops and stretches as cameras make them are found to a fifth of a cell, whatever the style.
  @Test(arguments: [
    (SIMD2(1.0, 1.0), SIMD2(0.0, 0.0)), (SIMD2(0.985, 0.985), SIMD2(0.0, 0.004)),
    (SIMD2(0.97, 0.99), SIMD2(0.008, -0.006)),
  ])
  func findsWhereAPreviewLies(scale: SIMD2<Double>, shift: SIMD2<Double>) {
    let center = SIMD2(0.5, 0.5)
    let preview = ComparedScene.picture(
      size: PixelSize(width: 300, height: 200),
      position: { center + scale * ($0 - center) + shift }, change: ComparedScene.style)
    let found = PreviewAlignment(ComparedScene.picture(), preview)
    #expect(found.correlation > 0.9)
    for corner in [SIMD2(0.0, 0.0), SIMD2(1.0, 0.0), SIMD2(0.0, 1.0), SIMD2(1.0, 1.0)] {
      let miss = found.own(corner) - (center + scale * (corner - center) + shift)
      #expect(max(abs(miss.x) * 60, abs(miss.y) * 40) < 0.2, "\(miss)")
    }
  }

  @Test func anotherPictureDoesNotLieOnIt() {
    let found = PreviewAlignment(ComparedScene.picture(), ComparedScene.picture(seed: 9))
    #expect(found.correlation < PreviewAlignment.minCorrelation)
  }
}
