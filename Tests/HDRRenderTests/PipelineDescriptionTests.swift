import Foundation
import ImageCore
import ImageFilters
import TestSupport
import Testing

@testable import HDRRender

@Suite struct PipelineDescriptionTests {
  private func pipeline() throws -> any PixelSource<DisplayReferred> {
    let pixels = try EditScene.noise().edited(
      by: CropFilter(PixelRect(x: 1, y: 2, width: 20, height: 10)), ExposureFilter(stops: 0.5))
    let rendered = DisplayRendering(.high, displayHeadroom: 3)(DisplayPicture(pixels))
    return PrimariesConversion(rendered, to: .bt2020)
  }

  @Test func everyStageIsDescribed() throws {
    let description = PipelineDescription(try pipeline())
    var (names, at) = ([String](), [description])
    while let next = at.popLast() {
      names.append(next.stage)
      at += next.inputs
    }
    #expect(names.count == 5, "\(names)")
    #expect(names[0] == "PrimariesConversion" && names[1] == "DisplayStage")
    #expect(names[2] == "RowStage" && names[4].hasPrefix("Image"))
    let lines = description.text.split(separator: "\n")
    #expect(lines.count == 5 && lines[1].contains("  DisplayStage; 20x10; displayP3, headroom 3.0"))
    #expect(lines[1].contains("displayHeadroom 3.0"))
    #expect(lines[0].contains("bt2020"))
  }

  @Test func jsonComesBack() throws {
    let described = PipelineDescription(try pipeline())
    #expect(try JSONDecoder().decode(PipelineDescription.self, from: described.json()) == described)
  }

  /// Pictures of two inputs, and pictures in memory of any size, whose size is not described.
  @Test func branchesAreDescribed() throws {
    let joined = try EditScene.noise().edited(by: CompositeFilter(EditScene.flat(SIMD3(1, 1, 1))))
    let description = PipelineDescription(joined)
    #expect(description.inputs.count == 2)
    let map = PipelineDescription(
      try DisplayRenderingTests.gainMap().rendition(displayHeadroom: 8))
    #expect(map.stage == "GainMapRendition" && map.inputs.count == 1)
    #expect(description.text.count < 4000 && map.text.count < 4000)
  }

  @Test func deepPipelinesEnd() throws {
    var source: any PixelSource<DisplayReferred> = EditScene.flat(SIMD3(1, 1, 1), 2, 2)
    for _ in 0..<500 { source = try ExposureFilter(stops: 0.01).applied(to: source) }
    #expect(PipelineDescription(source).text.split(separator: "\n").count == 65)
    // Each stage reads the one before it twice.
    for _ in 0..<40 { source = try CompositeFilter(source).applied(to: source) }
    #expect(PipelineDescription(source).text.split(separator: "\n").count <= 600)
  }
}
