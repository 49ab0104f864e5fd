import ImageCore
import ImageFilters
import TestSupport
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct ReferenceFormatTests {
  @Test func tagsNameTheFormat() {
    for (points, format) in [
      ([9, 16, 9], ReferenceFormat.bt2100PQ), ([9, 18, 9], .bt2100HLG), ([1, 1, 1], .bt709),
      ([6, 1, 6], .bt601SMPTEC), ([6, 6, 6], .bt601SMPTEC), ([5, 1, 6], .bt601EBU),
      ([1, 13, 1], .sRGB), ([1, 13, 0], .sRGB), ([9, 16, 0], .bt2100PQ), ([1, 13, 6], .sRGB),
    ] as [([UInt16], ReferenceFormat)] {
      #expect(ReferenceFormat(codePoints: points) == format, "\(points)")
    }
    for points in [[12, 16, 0], [12, 13, 6], [9, 16, 1], [9, 14, 9], [], [9, 16], [2, 2, 2]]
      as [[UInt16]]
    {
      #expect(ReferenceFormat(codePoints: points) == nil, "\(points)")
    }
    for format in ReferenceFormat.allCases {
      #expect(ReferenceFormat(codePoints: format.codePoints) == format)
      #expect(format.isConfirmed == (format == .bt2100PQ))
      #expect((format.viewingEnvironment == .bright) == (format == .sRGB))
    }
  }

  /// Each picture by itself: what is known exactly as coded, what is not by its headroom.
  @Test func formatsAreManagedOneByOne() {
    let on = DisplayInfo(
      potentialHeadroom: 16, currentHeadroom: 10, isReferenceModeSupported: true,
      isReferenceModeEnabled: true)
    let off = DisplayInfo(potentialHeadroom: 16, currentHeadroom: 4)
    #expect(DisplayRendering.managed(codePoints: [9, 16, 9], on: on).dynamicRange == .reference)
    #expect(DisplayRendering.managed(codePoints: [1, 13, 6], on: on).dynamicRange == .reference)
    for points in [[12, 16, 0], nil] as [[UInt16]?] {
      #expect(
        DisplayRendering.managed(codePoints: points, on: on)
          == DisplayRendering(.high, displayHeadroom: 10))
    }
    #expect(
      DisplayRendering.managed(codePoints: [9, 16, 9], on: off)
        == DisplayRendering(.high, displayHeadroom: 4))
  }

  /// The fine-tuning is a matrix on the output: white goes to its target, values scale.
  @Test func fineTuningActsOnTheOutput() throws {
    let target = Chromaticity(x: 0.3135, y: 0.3300)
    let tuning = try ColorMatrixFilter(
      ReferenceMode.fineTuning(white: target, luminance: 0.9, primaries: .displayP3))
    let white = EditScene.flat(SIMD3(repeating: 2), 4, 4)
    let rendered = EditScene.image(tuning.applied(to: white))[1, 1]
    let xyz = Primaries.displayP3.toXYZ * SIMD3<Double>(rendered)
    #expect(abs(xyz.y - 1.8) < 1e-5)
    let found = Chromaticity(xyz: xyz)
    #expect(abs(found.x - target.x) < 1e-6 && abs(found.y - target.y) < 1e-6)
  }

  /// 0…1 is always displayed unchanged, up to the headroom exactly, above it clipped.
  @Test func referenceValuesAreExactUpToTheHeadroom() {
    let picture = EditScene.picture(121, 1, headroom: 12) { x, _ in SIMD3(repeating: Float(x) / 10)
    }
    let rendered = EditScene.image(
      DisplayRendering(.reference, displayHeadroom: 10)(
        DisplayPicture(picture, isAbsolute: false)))
    for x in 0..<121 {
      #expect(abs(rendered[x, 0].y - min(picture[x, 0].y, 10)) < 2e-6)
      if x <= 100 { #expect(rendered[x, 0] == picture[x, 0]) }
    }
  }
}
