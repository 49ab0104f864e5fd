import Foundation
import Testing

@testable import Recipes

@Suite struct DocumentEditorTests {
  private func edited(
    _ text: String, _ settings: [(String, RecipeValue?)]
  ) throws -> String {
    let document = try RecipeDocument(text: text, path: "a.yaml")
    return try document.text(
      text,
      with: settings.map { key, value in
        .init(RecipePath(key.split(separator: ".").map { .key(String($0)) }), value)
      })
  }

  private let sidecar = """
    # As shot, but brighter.
    schema: 1
    raw:
      # A little.
      exposure: 0.5   # stops
      neutralTemperature: null

      sharpnessAmount: 0.2
    # The files.
    outputs:
      web: {format: jpeg-sdr, quality: 0.8}  # small
      hdr:
        format: heic-gainmap
        gainMap:
          base: sdr

    """

  /// All line endings of YAML, in quotes and blocks, too.
  @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\r"])
  func everyLineEndCounts(_ end: String) throws {
    let start = "x: \"\(end)\(end)\"\n"
    let text = start + "raw:\n  exposure: 1\ndescription: |\n  foo\n  bar\nname: a\n"
    let changed = try edited(text, [("description", "new"), ("raw.exposure", 2)])
    #expect(changed == start + "raw:\n  exposure: 2\ndescription: new\nname: a\n")
  }

  @Test(arguments: ["\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
  func linesEndInAnyWay(_ end: String) throws {
    let text = ["name: a", "raw:", "  exposure: 1", ""].joined(separator: end)
    let changed = text.replacing("exposure: 1", with: "exposure: 2")
    #expect(try edited(text, [("raw.exposure", 2)]) == changed)
  }

  @Test func quotesWithinPlainTextsAreNone() throws {
    let rest = "hdr: {name: c 'd, format: jpeg-sdr}}\n"
    let text = "outputs: {web: {name: a 'b, format: jpeg-sdr}, " + rest
    let changed = try edited(text, [("outputs.web", .null)])
    #expect(changed == "outputs: {web: null, " + rest)
  }

  /// An apostrophe within a value does not begin another, and depth takes no stack.
  @Test func bracketsInQuotesAreText() throws {
    let deep = String(repeating: "[", count: 900_000)
    let text = "raw: {x: [a'b, \"'\(deep)\"], exposure: 1}\n"
    let changed = try edited(text, [("raw.exposure", 2)])
    #expect(changed == text.replacing("exposure: 1", with: "exposure: 2"))
    let isLast = "x: [a'b, \"'\(deep)\"]\n"
    #expect(try edited(isLast, [("raw.exposure", 2)]).hasPrefix(isLast))
  }

  @Test func valuesChangeInPlace() throws {
    #expect(
      try edited(sidecar, [("raw.exposure", -1.25)])
        == sidecar.replacing("exposure: 0.5 ", with: "exposure: -1.25 "))
    #expect(
      try edited(sidecar, [("raw.neutralTemperature", 5200)])
        == sidecar.replacing("neutralTemperature: null", with: "neutralTemperature: 5200"))
    #expect(
      try edited(sidecar, [("outputs.web.quality", 0.9), ("outputs.web.format", "png")])
        == sidecar.replacing(
          "{format: jpeg-sdr, quality: 0.8}", with: "{format: png, quality: 0.9}"))
    #expect(
      try edited(sidecar, [("outputs.hdr", .null)])
        == sidecar.replacing(
          "hdr:\n    format: heic-gainmap\n    gainMap:\n      base: sdr\n", with: "hdr: null\n"))
  }

  @Test func newKeysComeLast() throws {
    #expect(
      try edited(sidecar, [("raw.detailAmount", 1)])
        == sidecar.replacing(
          "sharpnessAmount: 0.2\n", with: "sharpnessAmount: 0.2\n  detailAmount: 1\n"))
    #expect(
      try edited(sidecar, [("outputs.web.maxSize", 800)])
        == sidecar.replacing("quality: 0.8}", with: "quality: 0.8, maxSize: 800}"))
    #expect(
      try edited(sidecar, [("outputs.hdr.gainMap.channels", 3)])
        == sidecar.replacing("base: sdr\n", with: "base: sdr\n      channels: 3\n"))
    #expect(
      try edited(sidecar, [("render.headroomLimit", 1.5)])
        == sidecar + "render:\n  headroomLimit: 1.5\n")
    #expect(try edited("", [("raw.exposure", 1)]) == "raw:\n  exposure: 1\n")
    #expect(
      try edited("schema: 1\nraw: {}\n", [("raw.exposure", 1)])
        == "schema: 1\nraw: {exposure: 1}\n")
    #expect(try edited("raw:\n", [("raw.exposure", 1)]) == "raw: {exposure: 1}\n")
    // The file does not end with a line end.
    #expect(
      try edited("raw:\r\n  exposure: 1", [("raw.despeckleAmount", 1)])
        == "raw:\r\n  exposure: 1\r\n  despeckleAmount: 1\r\n")
  }

  @Test func keysAreRemovedWithWhatHoldsNothingElse() throws {
    #expect(
      try edited(sidecar, [("raw.exposure", nil)])
        == sidecar.replacing("  exposure: 0.5   # stops\n", with: ""))
    #expect(
      try edited(sidecar, [("outputs.web.format", nil)])
        == sidecar.replacing("{format: jpeg-sdr, quality", with: "{quality"))
    #expect(
      try edited(sidecar, [("outputs.web.quality", nil)])
        == sidecar.replacing(", quality: 0.8}", with: "}"))
    #expect(
      try edited(sidecar, [("outputs.hdr.gainMap.base", nil)])
        == sidecar.replacing("    gainMap:\n      base: sdr\n", with: ""))
    #expect(try edited(sidecar, [("raw.detailAmount", nil)]) == sidecar)
    #expect(try edited("raw:\n  exposure: 1\n", [("raw.exposure", nil)]) == "")
  }

  @Test func jsonStaysJSON() throws {
    let text = """
      {
        "schema": 1,
        "raw": {
          "exposure": 0.5, "profileName": "a, {b}"
        },
        "outputs": {"web": {"format": "jpeg-sdr"}}
      }

      """
    #expect(
      try edited(text, [("raw.profileName", "c"), ("outputs.web.quality", 0.5)])
        == text.replacing("\"a, {b}\"", with: "\"c\"")
        .replacing("\"jpeg-sdr\"}", with: "\"jpeg-sdr\", \"quality\": 0.5}"))
    #expect(
      try edited(text, [("render.headroomLimit", 2)])
        == text.replacing(
          "\"jpeg-sdr\"}}\n", with: "\"jpeg-sdr\"}},\n  \"render\": {\"headroomLimit\": 2}\n"))
    #expect(try edited("{}", [("raw.exposure", 1)]) == "{\"raw\": {\"exposure\": 1}}")
  }

  @Test func whatCannotBeIsRefused() throws {
    for (key, value) in [
      ("raw.exposure", RecipeValue.number(99)), ("raw.exposure", "much"), ("raw.exposur", 1),
      ("outputs.web.format", "gif"), ("raw.crop", "1,2"), ("raw", 1),
    ] {
      #expect(throws: RecipeError.self) { try edited(sidecar, [(key, value)]) }
    }
    // Values through aliases are shared, and are not changed by halves.
    let shared = "raw: &a\n  exposure: 1\nother: *a\n"
    #expect(throws: RecipeError.self) { try edited(shared, [("raw.exposure", 2)]) }
    #expect(throws: RecipeError.self) { try edited("output: {}\n", [("raw.exposure", 2)]) }
  }

  /// The result is the old document with the change, or an error.
  @Test func everyKeyCanBeSetAndRemoved() throws {
    for key in RecipeKey.effective where key.path.contains(".") {
      let path = key.path(output: "web")
      guard let value = key.standardValue else { continue }
      let keys = path.description
      let set = try? edited("# first\nschema: 1 # one\n", [(keys, value)])
      guard let set else { continue }
      #expect(set.hasPrefix("# first\nschema: 1 # one\n"))
      #expect(try RecipeDocument(text: set).values[path] == value)
      #expect(try edited(set, [(keys, nil)]) == "# first\nschema: 1 # one\n")
    }
  }

  @Test func filesAreWrittenCompletelyOrNotAtAll() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a.CR2.rawdev.yaml")
    let path = Array(file.path.utf8)
    let exposure = RecipeDocument.Setting(RecipePath(keys: "raw", "exposure"), 1)
    #expect(throws: RecipeError.self) { try RecipeDocument.set([exposure], in: path) }
    try RecipeDocument.set([exposure], in: path, creates: true)
    #expect(try String(contentsOf: file, encoding: .utf8) == "schema: 1\nraw:\n  exposure: 1\n")
    let wrong = RecipeDocument.Setting(RecipePath(keys: "raw", "exposure"), 99)
    #expect(throws: RecipeError.self) { try RecipeDocument.set([exposure, wrong], in: path) }
    #expect(try String(contentsOf: file, encoding: .utf8) == "schema: 1\nraw:\n  exposure: 1\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }
}
