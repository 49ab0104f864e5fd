import Foundation
import Testing

@testable import Recipes

@Suite struct RecipeExplanationTests {
  private func layers() throws -> LayeredRecipe {
    LayeredRecipe([
      RecipeLayer(
        .folder, "defaults f.yaml",
        try RecipeDocument(
          text: "raw:\n  exposure: 1\noutputs:\n  a: {quality: 0.5}\n  b: {}\n", path: "f.yaml")),
      RecipeLayer(
        .sidecar, "sidecar s.yaml",
        try RecipeDocument(
          text: "raw:\n  exposure: 2\n  neutralTint: null\n  mine: x\noutputs: {b: null}\n",
          path: "s.yaml")),
      RecipeLayer(
        .commandLine, "command line",
        values: .map([
          "outputs": .map(["a": .map(["light": .map(["diffuseWhiteNits": .number(203)])])])
        ])),
    ])
  }

  @Test func everyKeyIsThereOnce() throws {
    let lines = RecipeExplanation(try layers()).lines
    let keys = lines.map(\.key)
    #expect(Set(keys).count == keys.count)
    for key in RecipeKey.effective where !key.path.contains(".light.") {
      #expect(keys.contains(key.path(output: "a").description))
    }
    #expect(keys.contains("outputs.a.light.diffuseWhiteNits"))
    #expect(!keys.contains("outputs.a.light.ambient.lux"))
    let plain = RecipeExplanation(LayeredRecipe()).lines
    #expect(plain.allSatisfy { $0.layer == .engine })
    #expect(plain.contains { $0.key == "outputs.main.format" && $0.value == .text("heif-hlg") })
  }

  @Test func saysWhereEachComesFrom() throws {
    let explanation = RecipeExplanation(try layers())
    let lines = Dictionary(uniqueKeysWithValues: explanation.lines.map { ($0.key, $0) })
    let exposure = try #require(lines["raw.exposure"])
    #expect((exposure.value, exposure.line, exposure.layer) == (.number(2), 2, .sidecar))
    #expect(exposure.overridden.map(\.value) == [.number(1)])
    #expect(lines["raw.neutralTint"]?.standard == "as shot")
    #expect(lines["raw.neutralTint"]?.layer == .sidecar)
    #expect(lines["raw.mine"]?.isKnown == false)
    #expect(lines["outputs.b"]?.value == .null)
    #expect(lines["raw.baselineExposure"]?.layer == .engine)
    let text = explanation.description
    #expect(text.contains("sidecar s.yaml, line 2"))
    #expect(text.contains("over 1 of defaults f.yaml, line 2"))
    #expect(text.contains("unknown, no effect"))
    #expect(text.contains("left out"))
    #expect(
      text.split(separator: "\n").contains {
        $0.hasPrefix("raw.neutralTemperature ") && $0.hasSuffix("engine: as shot")
      })
    let given = explanation.text(onlyGiven: true)
    #expect(!given.contains("engine"))
    #expect(given.contains("outputs.a.light.diffuseWhiteNits"))
  }

  @Test func survivesJSON() throws {
    let explanation = RecipeExplanation(try layers())
    let data = try JSONEncoder().encode(explanation)
    #expect(try JSONDecoder().decode(RecipeExplanation.self, from: data) == explanation)
  }
}
