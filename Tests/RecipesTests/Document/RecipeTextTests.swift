import Foundation
import Testing

@testable import Recipes

@Suite struct RecipeTextTests {
  /// Random values of every type, with texts that other readers misinterpret.
  private func sample(_ seed: inout UInt64, depth: Int) -> RecipeValue {
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let texts = [
      "", "no", "1", "~", "null", "a: b", "#x", "- x", "*a", "&a", "!t", "x\ny", "\ttab", "é😀",
      "a\"b\\",
      "'", " lead", "trail ", "2026-01-02", "0x1F", ".5", "1e3", "{a}", "[b]", "a,b", "%Y",
      "web/{stem}",
      "\u{0}\u{1}\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFE}\u{E000}", "<<", "=", "y", "---", "\r\n",
      String(repeating: "long ", count: 60), "plain text", "a/b.c+d-e",
    ]
    switch next(depth > 3 ? 5 : 7) {
    case 0: return .null
    case 1: return .bool(next(2) == 0)
    case 2: return .number(Double(next(2_000_001) - 1_000_000))
    case 3:
      return .number(
        [0.1, -2.5e-9, 1e300, Double.leastNonzeroMagnitude, 0.30000000000000004, 1e20][next(6)])
    case 4: return .text(texts[next(texts.count)])
    case 5: return .list((0..<next(4)).map { _ in sample(&seed, depth: depth + 1) })
    default:
      var map: [String: RecipeValue] = [:]
      for _ in 0..<next(5) { map[texts[next(texts.count)]] = sample(&seed, depth: depth + 1) }
      return .map(map)
    }
  }

  @Test func everyValueComesBackFromYAMLAndJSON() throws {
    for start in 0..<400 as Range<UInt64> {
      var seed = start
      let map = RecipeValue.map(["unknown": sample(&seed, depth: 0), "name": .text("n")])
      #expect(try RecipeDocument(text: map.yaml).values == map)
      #expect(try RecipeDocument(text: map.json).values == map)
      let decoded = try JSONDecoder().decode(RecipeValue.self, from: Data(map.json.utf8))
      #expect(decoded == map)
      #expect(try RecipeDocument(text: RecipeText.flow(map)).values == map)
    }
  }

  @Test func writesKeysInTheOrderOfARecipe() throws {
    let text = """
      schema: 1
      name: Night
      description: "yes"
      extends: [a.yaml, web]
      root: true
      rules:
        - match:
            camera: "Canon*"
            iso: [1600, null]
          raw:
            exposure: 0.5
        - {}
      raw:
        exposure: -1
      render:
        headroomLimit: 2
      outputs:
        web:
          format: jpeg-sdr
          name: "web/{stem}"
          maxSize: 2048
      zebra: {}

      """
    let written = try RecipeDocument(text: text).values.yaml
    #expect(written == text)
  }

  @Test func writesNumbersThatEveryReaderTakes() {
    #expect(RecipeValue.number(1e-7).line == "1.0e-07")
    #expect(RecipeValue.number(0.9).line == "0.9")
    #expect(RecipeValue.number(-3).line == "-3")
    #expect(RecipeValue.number(.nan).line == "null")
  }

  /// Aliases make such values of short documents.
  @Test func linesAreBounded() {
    let long = RecipeValue.text(String(repeating: "é", count: 100_000))
    let values: [RecipeValue] = [
      long, .list(Array(repeating: long, count: 20_000)), .map(["a": .list([long])]),
      .list(Array(repeating: "x", count: 200_000)),
    ]
    for value in values {
      #expect(value.line.hasSuffix("…") && value.line.utf8.count <= 2003)
      #expect(value.brief == value.kind)
    }
    #expect(values[3].line.hasPrefix("[x, x, x"))
    let short = String(repeating: "x", count: 60)
    #expect(RecipeValue.text(short).brief == short)
    #expect(RecipeValue.text(short + "x").brief == "a text")
  }
}
