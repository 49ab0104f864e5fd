import ImageCore
import Testing

@testable import RawFilter

/// What is believed of previews.
@Suite struct PreviewComparisonTests {
  private static func doubt(
    _ preview: (SIMD3<Double>) -> SIMD3<Double>
  ) -> PreviewComparison.Doubt? {
    PreviewComparison(
      own: ComparedScene.picture(), preview: ComparedScene.picture(change: preview)
    ).doubt
  }

  @Test func camerasStylesAreBelieved() {
    #expect(Self.doubt { $0 } == nil && Self.doubt(ComparedScene.style) == nil)
    // A warm white.
    #expect(Self.doubt { $0 * SIMD3(1, 0.9, 0.75) } == nil)
  }

  @Test func liesAreRefusedOrBounded() {
    let luminance = SIMD3(0.2126, 0.7152, 0.0722)
    func gray(_ color: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(repeating: (color * luminance).sum())
    }
    #expect(Self.doubt(gray) == .otherColors)
    #expect(Self.doubt { gray($0) * SIMD3(1, 0.8, 0.5) } == .otherColors)
    // Red and blue are swapped.
    #expect(Self.doubt { SIMD3($0.z, $0.y, $0.x) } == .otherColors)
    #expect(Self.doubt { _ in SIMD3(repeating: 0.3) } == .otherPicture)
    let negative = Self.doubt { SIMD3(repeating: 1) - $0 }
    #expect(negative == .otherPicture || negative == .otherTones)
    #expect(Self.doubt { clamped($0 * 500, 0.97) } != nil)
    let other = PreviewComparison(
      own: ComparedScene.picture(), preview: ComparedScene.picture(seed: 9))
    #expect(other.doubt == .otherPicture && other.cells.isEmpty)
  }

  /// What a preview blows or blackens is no evidence.
  @Test func blownAndBlackCellsDoNotCount() {
    let comparison = PreviewComparison(
      own: ComparedScene.picture(), preview: ComparedScene.picture(change: { clamped($0 * 2.5, 0) })
    )
    #expect(comparison.cells.count > 100)
    #expect(comparison.cells.allSatisfy { $0.preview.x < 0.999 && $0.preview.x > 0.05 })
    #expect(
      comparison.cells.count
        < PreviewComparison(
          own: ComparedScene.picture(), preview: ComparedScene.picture()
        ).cells.count)
  }

  /// A black-and-white preview gives lightness only.
  @Test func aGrayPreviewGivesLightnessOnly() throws {
    let comparison = PreviewComparison(
      own: ComparedScene.picture(),
      preview: ComparedScene.picture(change: { color in
        SIMD3(repeating: 0.8 * (color * SIMD3(0.2126, 0.7152, 0.0722)).sum())
      }))
    let look = try #require(FittedLook(comparison).mapping)
    #expect(look.stretch.allSatisfy { $0 == 0 } && look.cast == SIMD2(0, 0))
    #expect(look.toned(0.5) < 0.49 && FittedLook(comparison).note != nil)
  }
}

private func clamped(_ color: SIMD3<Double>, _ minimum: Double) -> SIMD3<Double> {
  color.clamped(lowerBound: SIMD3(repeating: minimum), upperBound: SIMD3(repeating: 1))
}
