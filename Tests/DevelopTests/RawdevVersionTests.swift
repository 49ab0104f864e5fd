import Foundation
import ImageCore
import Recipes
import TestSupport
import Testing

@testable import Develop

/// Journals compare the engine's version, so it has to be raised with each change of pixels.
///
/// `Fixtures/engine.json` holds the engine and what it renders, as means and roughness of 6 × 4
/// cells. Where the test fails on purpose, set `RawdevVersion.engine` to the coming release and
/// record once: `RAWDEV_RECORD_RENDERINGS=1 swift test --filter RawdevVersionTests`. Renderings of
/// one engine are never replaced.
@Suite struct RawdevVersionTests {
  private struct Record: Codable {
    var engine: String
    var renderings: [String: [Float]]
  }

  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/engine.json")

  private static let recipes = [
    "defaults": "{}",
    "standard range": "raw: {extendedDynamicRangeAmount: 0, exposure: 0.3}",
    "noise, sharpness, tone": """
    raw: {luminanceNoiseReductionAmount: 0.7, colorNoiseReductionAmount: 0.7, despeckleAmount: 0.5,
      moireReductionAmount: 0.5, sharpnessAmount: 0.8, detailAmount: 1, contrastAmount: 0.5,
      localToneMapAmount: 0.8}
    """,
    "dual demosaic": "raw: {demosaicMethod: dual, boostAmount: 0.5}",
    "reduced, turned": "{raw: {scaleFactor: 0.6, orientation: 6}}",
  ]

  private func rendering(_ yaml: String) throws -> [Float] {
    let raw = try SmallRaw()
    let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: yaml)])
    var recipe = try resolver.resolve(.init(path: Array(raw.path.utf8))).recipe
    (recipe.output.format, recipe.output.tiffCompression) = (.tiffFloat, .none)
    _ = try Developer(recipe: recipe, workers: 1).develop(
      raw.path, to: .replacing(raw.file("out.tif")))
    let picture = try #require(PlainTIFF(raw.file("out.tif")))
    return (0..<24).flatMap { cell -> [Float] in
      let (x, y) = (cell % 6, cell / 6)
      let columns = x * picture.width / 6..<(x + 1) * picture.width / 6
      var (sums, rough) = ([0.0, 0.0, 0.0], 0.0)
      let rows = y * picture.height / 4..<(y + 1) * picture.height / 4
      for row in rows {
        for column in columns {
          let at = 3 * (row * picture.width + column)
          for channel in 0..<3 { sums[channel] += Double(picture.samples[at + channel]) }
          if column > columns.lowerBound {
            rough += Double(abs(picture.samples[at + 1] - picture.samples[at - 2]))
          }
        }
      }
      let count = Double(rows.count * columns.count)
      return (sums + [rough]).map { Float(($0 / count * 1e6).rounded() / 1e6) }
    }
  }

  @Test func theEngineIsRaisedWithItsPixels() throws {
    let made = try Self.recipes.mapValues(rendering)
    let data = FileManager.default.contents(atPath: Self.file.path)
    let known = try data.map { try JSONDecoder().decode(Record.self, from: $0) }
    guard let known, known.engine == RawdevVersion.engine else {
      let isRecording = ProcessInfo.processInfo.environment["RAWDEV_RECORD_RENDERINGS"] == "1"
      try #require(isRecording, "no renderings of engine \(RawdevVersion.engine) are recorded")
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let record = Record(engine: RawdevVersion.engine, renderings: made)
      try (try encoder.encode(record) + [10]).write(to: Self.file)
      return
    }
    #expect(Set(known.renderings.keys) == Set(made.keys))
    for (name, cells) in made {
      let before = try #require(known.renderings[name])
      // The tolerance covers rounding to six digits.
      let isSame = zip(before, cells).allSatisfy { abs($0 - $1) <= 2e-6 + abs($0) * 1e-5 }
      #expect(
        isSame && before.count == cells.count,
        "\(name) differs with the same engine: raise RawdevVersion.engine, record again")
    }
  }

  @Test func theEngineIsOfThisReleaseOrAnEarlierOne() throws {
    func parts(_ version: String) throws -> [Int] {
      let parts = version.split(separator: ".").compactMap { Int($0) }
      try #require(parts.count == 3, "\(version) is no version")
      return parts
    }
    let (engine, release) = (try parts(RawdevVersion.engine), try parts(RawdevVersion.current))
    #expect(engine == release || engine.lexicographicallyPrecedes(release))
  }
}
