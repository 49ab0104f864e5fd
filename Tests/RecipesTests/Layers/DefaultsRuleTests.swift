import Foundation
import TestSupport
import Testing

@testable import Recipes

@Suite struct DefaultsRuleTests {
  private let canon = PictureInfo(
    make: "Canon", model: "Canon EOS 5D Mark III", lens: "EF50mm f/1.8 STM", iso: 3200)

  private func sources(_ text: String, _ info: PictureInfo) throws -> [String] {
    let folder = try TestFolder()
    try folder.write("root: true\n" + text, to: ".rawdev/defaults.yaml")
    return try FolderDefaults().layers(folder: folder.bytes, info: info).dropLast()
      .map { layer in if case .number(let n)? = layer.values["v"] { "\(Int(n))" } else { "?" } }
  }

  private func failure(_ text: String) -> RecipeError? {
    do {
      _ = try DefaultsRule.all(of: RecipeDocument(text: text, path: "d.yaml"))
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("{camera: \"Canon*\"}", true), ("{camera: \"canon eos 5d mark iii\"}", true),
    ("{camera: \"EOS*\"}", false), ("{camera: \"Canon Canon EOS*\"}", true),
    ("{camera: \"Nikon*\"}", false),
    ("{iso: 3200}", true), ("{iso: 100}", false), ("{iso: [1600, 3200]}", true),
    ("{iso: [3201, null]}", false),
    ("{iso: [null, 3200]}", true), ("{lens: \"ef50mm*\"}", true), ("{lens: \"EF85*\"}", false),
    ("{camera: \"Canon*\", iso: 100}", false),
    ("{camera: \"Canon*\", lens: \"*\", iso: [1, 9999]}", true),
    ("{camera: \"Canon*\", moon: full}", false),
  ])
  func allConditionsMustFit(match: String, fits: Bool) throws {
    #expect(try sources("rules: [{match: \(match), v: 1}]", canon) == (fits ? ["1"] : []))
    #expect(try sources("rules: [{match: \(match), v: 1}]", PictureInfo()) == [])
  }

  @Test func modelAloneMatchesAsWell() throws {
    let nikon = PictureInfo(make: "NIKON CORPORATION", model: "NIKON D850", iso: 64)
    for pattern in ["nikon d850", "NIKON CORPORATION NIKON D850"] {
      #expect(try sources("rules: [{match: {camera: \"\(pattern)\"}, v: 1}]", nikon) == ["1"])
    }
    let fuji = PictureInfo(make: "FUJIFILM", model: "X-T5")
    for pattern in ["X-T5", "fujifilm x-t5"] {
      #expect(try sources("rules: [{match: {camera: \"\(pattern)\"}, v: 1}]", fuji) == ["1"])
    }
    #expect(nikon.camera == "NIKON D850")
    #expect(fuji.camera == "FUJIFILM X-T5")
  }

  @Test func narrowerRulesComeLater() throws {
    let text = """
      rules:
      - {match: {lens: "EF50mm*", camera: "Canon*"}, v: 7}
      - {match: {lens: "*"}, v: 6}
      - {match: {camera: "*", iso: [1600, 6400]}, v: 4}
      - {match: {camera: "*", iso: [3200, 3200]}, v: 5}
      - {match: {iso: 3200}, v: 3}
      - {match: {camera: "Canon EOS 5D*"}, v: 1}
      - {match: {camera: "Canon*"}, v: 0}
      - {match: {camera: "Canon EOS 5?*"}, v: 8}
      """
    #expect(try sources(text, canon) == ["0", "8", "1", "3", "4", "5", "6", "7"])
    let equal =
      """
      rules: [{match: {camera: \"Canon\\u0020*\"}, v: 1}, {match: {camera: \"*EOS 5D\\u0020*\"}, \
      v: 2}, {match: {camera: \"*EOS 5D *\"}, v: 3}]
      """
    #expect(try sources(equal, canon) == ["1", "2", "3"])
  }

  @Test func nearerFoldersWinWithinAKind() throws {
    let folder = try TestFolder()
    try folder.write(
      "root: true\nrules: [{match: {camera: \"Canon EOS*\"}, v: 1}, {match: {iso: 3200}, v: 2}]",
      to: "a/.rawdev/defaults.yaml")
    try folder.write(
      "rules: [{match: {camera: \"*\"}, v: 3}]\nv: 9", to: "a/b/.rawdev/defaults.yaml")
    let layers = try FolderDefaults().layers(folder: Array("\(folder.path)/a/b".utf8), info: canon)
    #expect(layers.compactMap { $0.values["v"]?.line } == ["1", "3", "2", "9"])
    #expect(layers[2].source == "rule iso 3200 of \(folder.path)/a/.rawdev/defaults.yaml")
    #expect(layers[0].source.hasPrefix("rule camera \"Canon EOS*\" of /"))
  }

  @Test func valuesOfRulesHaveTheirLines() throws {
    let document = try RecipeDocument(
      text: "rules:\n- match:\n    camera: \"*\"\n  raw:\n    exposure: 1\n", path: "d.yaml")
    let layer = try #require(try DefaultsRule.all(of: document)[0].layer(for: canon))
    #expect(LayeredRecipe([layer]).entries.first?.origin.line == 5)
  }

  @Test(arguments: [
    ("rules: {a: 1}", 1), ("rules:\n- 5", 2), ("rules:\n- raw: {}", 2), ("rules:\n- match: {}", 2),
    ("rules:\n- match:\n    camera: 5", 3), ("rules:\n- match:\n    lens: [a]", 3),
    ("rules:\n- match:\n    iso: fast", 3), ("rules:\n- match:\n    iso: [5, 1]", 3),
    ("rules:\n- match:\n    iso: [1, 2, 3]", 3),
  ])
  func wrongRulesAreNamed(text: String, line: Int) {
    let error = failure(text)
    #expect(error?.code == .badSetting)
    #expect(error?.path == "d.yaml")
    #expect(error?.line == line)
  }

  /// Each is looked at for each picture.
  @Test func rulesAreBounded() {
    func text(_ count: Int) -> String {
      "rules:\n" + String(repeating: "- match: {camera: x}\n  raw: {exposure: 1}\n", count: count)
    }
    #expect(failure(text(256)) == nil)
    #expect(failure(text(257))?.message.contains("more than 256 rules") == true)
  }

  @Test func patternsAreBounded() {
    func text(_ count: Int) -> String {
      "rules:\n- match:\n    lens: \(String(repeating: "x", count: count))\n"
    }
    #expect(failure(text(1024)) == nil)
    let error = failure(text(1025))
    #expect(error?.code == .badSetting && error?.line == 3)
    #expect(error?.message.contains("more than 1024 bytes") == true)
  }
}
