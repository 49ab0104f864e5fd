import Foundation
import ImageCore
import Recipes
import Testing

@Suite struct DocumentReaderTests {
  private func values(_ text: String) throws -> RecipeValue {
    try RecipeDocument(text: text, path: "a.yaml").values
  }

  private func failure(_ text: String) -> RecipeError? {
    do {
      _ = try RecipeDocument(text: text, path: "a.yaml")
      return nil
    } catch { return error }
  }

  /// Example 10.9 and table 10.3 of YAML 1.2.2, and scalars that differ in YAML 1.1.
  @Test(arguments: [
    ("null", RecipeValue.null), ("~", .null), ("", .null), ("NULL", .null),
    ("true", .bool(true)), ("False", .bool(false)),
    ("0", .number(0)), ("0o7", .number(7)), ("0x3A", .number(58)), ("-19", .number(-19)),
    ("0.", .number(0)), ("-0.0", .number(0)), (".5", .number(0.5)), ("+12e03", .number(12000)),
    ("-2E+05", .number(-200_000)), ("010", .number(10)),
    ("no", .text("no")), ("yes", .text("yes")), ("on", .text("on")), ("Off", .text("Off")),
    ("12:30", .text("12:30")), ("1_000", .text("1_000")), ("2026-01-02", .text("2026-01-02")),
    ("nan", .text("nan")), ("e5", .text("e5")), (".", .text(".")), ("1e", .text("1e")),
    ("-x", .text("-x")), ("0x", .text("0x")), ("++1", .text("++1")),
    ("\"1\"", .text("1")), ("'true'", .text("true")), ("!!str 1", .text("1")),
    ("!!float 3", .number(3)), ("\"a*b\"", .text("a*b")), ("a*b", .text("a*b")),
  ])
  func readsCoreSchema(text: String, value: RecipeValue) throws {
    #expect(try values("a: \(text)")["a"] == value)
    if text.isEmpty { return }
    #expect(try values("a: [\(text), 0]")["a"] == .list([value, .number(0)]))
  }

  @Test(arguments: [
    ".nan", ".inf", "-.INF", "1e999", "-1" + String(repeating: "0", count: 350),
    "12345678901234567891", "0xFFFFFFFFFFFFFFFFF", "9007199254740993", "!!binary aGk=",
  ])
  func refusesNumbersThatItCannotKeep(text: String) {
    let error = failure("b: 1\na: \(text)")
    #expect(error?.code == .malformed)
    #expect(error?.line == 2)
  }

  /// Each is compared with all earlier ones, and its expansion is copied into every value.
  @Test func directivesOfTagsAreRefused() throws {
    for start in ["", "%YAML 1.2\n", "# comment\r", "\u{FEFF}"] {
      let error = failure(start + "%TAG !a! tag:a,2026:\n---\na: !a!x 1\n")
      #expect(error?.code == .malformed && error?.message.contains("%TAG") == true)
      #expect(error?.line == (start.hasPrefix("%") || start.hasPrefix("#") ? 2 : 1))
    }
    #expect(try values("a: \"%TAG\"")["a"] == .text("%TAG"))
  }

  /// Texts are compared in the square of the length of such runs.
  @Test func longRunsOfMarksAreRefused() throws {
    func run(_ mark: String, _ count: Int) -> String { String(repeating: mark, count: count) }
    let acute = "\u{301}"
    for text in ["a: e\(run(acute, 64))", "e\(run(acute, 64)): 1", "a: \"e\(run("\\u0301", 64))\""]
    {
      #expect(throws: Never.self) { try values(text) }
    }
    for text in [
      "a: e\(run(acute, 65))", "e\(run(acute, 65)): 1", "a: \"e\(run("\\u0301", 65))\"",
      "\"e\(run("\\U00000301", 65))\": 1", "a: &e\(run(acute, 65)) 1",
      "a: \"e\(run("\\u0301\\\n ", 65))\"",
    ] {
      #expect(failure(text)?.message.contains("combining marks") == true, "\(text.count)")
    }
  }

  @Test func keepsIntegersThatFit() throws {
    #expect(try values("a: 9007199254740992")["a"] == .number(0x1p53))
    #expect(try values("a: \"12345678901234567891\"")["a"] == .text("12345678901234567891"))
  }

  @Test func saysTheLineOfEveryKey() throws {
    let document = try RecipeDocument(
      text:
        """
        # a comment\nraw:\n  exposure: 1\n\n  list:\n  - 1\n  - {x: 2}\nname: >\n  folded\n  text\n
        """,
      path: "a.yaml")
    func line(_ steps: RecipePath.Step...) -> Int { document.lines.line(of: RecipePath(steps)) }
    #expect(line(.key("raw")) == 2)
    #expect(line(.key("raw"), .key("exposure")) == 3)
    #expect(line(.key("raw"), .key("list"), .item(1), .key("x")) == 7)
    #expect(line(.key("name")) == 8)
    // A value that is absent has the line of the map around it.
    #expect(line(.key("raw"), .key("none"), .item(3)) == 2)
    #expect(line() == 1 || line() == 2)
    #expect(document.values["name"] == .text("folded text\n"))
  }

  @Test func readsJSONWithAllItsEscapes() throws {
    let text =
      #"{"a":"\ud83d\ude00 \u00e9 \/ \\ud83d\\ude00","b":[1,2.5e-3,null,true],"c":{"d":""}}"#
    let found = try values(text)
    #expect(found["a"] == .text("😀 é / \\ud83d\\ude00"))
    #expect(found == (try JSONDecoder().decode(RecipeValue.self, from: Data(text.utf8))))
    #expect(try values("\u{FEFF}{\n\t\"a\":\t1\n}") == .map(["a": .number(1)]))
    #expect(failure(#"{"a": "\ud83d"}"#)?.code == .malformed)
  }

  @Test func refusesDuplicateKeys() {
    let error = failure("raw:\n  exposure: 1\n  exposure: 2\n")
    #expect(error?.line == 2 || error?.line == 3)
    #expect(error?.message.contains("exposure occurs twice") == true)
    #expect(failure("{\"a\": 1, \"a\": 1}") != nil)
    #expect(failure("a*: 1\na*: 2")?.message.contains("a* occurs twice") == true)
  }

  @Test func followsAliasesAsTheyStandInTheText() throws {
    let found = try values("a: &x {b: &y 1}\nc: &y 2\nd: *x\ne: *y\nf: [*x, *y ]\n")
    #expect(found["d"] == .map(["b": .number(1)]))
    #expect(found["e"] == .number(2))
    #expect(found["f"] == .list([.map(["b": .number(1)]), .number(2)]))
    // Text with private-use characters stays.
    #expect(try values("a: \u{E000}*b")["a"] == .text("\u{E000}*b"))
  }

  @Test func saysThatPatternsNeedQuotes() {
    let error = failure("a: 1\nmatch: *5D*\n")
    #expect(error?.line == 2)
    #expect(error?.message.contains("in quotes") == true)
    #expect(failure("a: &a [*a]\n")?.message.contains("has no anchor") == true)
  }

  @Test func refusesBombs() {
    var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...12 {
      let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      laughs += "a\(level): &a\(level) [\(items)]\n"
    }
    #expect(failure(laughs)?.message.contains("more than 262144 values") == true)
    // The same as a key, which a parser compares with its neighbors.
    #expect(failure(laughs.prefix(300) + "? [*a1, *a2]\n: 1\n") != nil)
    #expect(failure("? *a\n: 1\n") != nil || (try? values("? *a\n: 1\n")) != nil)
    let wide = "[" + Array(repeating: "1", count: 262_145).joined(separator: ",") + "]"
    #expect(failure("a: " + wide)?.message.contains("values") == true)
    let nested = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(failure(nested) != nil)
    #expect(
      failure(String(repeating: "a: 1 \n", count: 1 << 18))?.message.contains("1 MiB") == true)
  }

  /// The values and levels of a document at a limit, and one beyond it; an alias counts as its
  /// target.
  @Test func limitsAreExact() throws {
    func message(_ text: String, items: Int = 100, nesting: Int = 100) -> String? {
      let limits = DecodeLimits(maxItems: items, maxNesting: nesting)
      do {
        _ = try RecipeDocument(text: text, limits: limits)
        return nil
      } catch { return error.message }
    }
    #expect(message("{a: [1, 2]}", items: 4) == nil)
    #expect(message("{a: [1, 2]}", items: 3)?.contains("more than 3 values") == true)
    #expect(message("{a: &x [1, 2], b: *x}", items: 8) == nil)
    #expect(message("{a: &x [1, 2], b: *x}", items: 7)?.contains("more than 7 values") == true)
    #expect(message("{a: [[1]]}", nesting: 4) == nil)
    #expect(message("{a: [[1]]}", nesting: 3)?.contains("more than 3 deep") == true)
    #expect(message("{a: &x [[1]], b: [*x]}", nesting: 5) == nil)
    #expect(message("{a: &x [[1]], b: [*x]}", nesting: 4)?.contains("more than 4 deep") == true)
  }

  /// A parser compares keys with all their contents, on every level.
  @Test func refusesKeysThatAreNoNames() throws {
    let deep =
      String(repeating: "? ", count: 900) + "[" + String(repeating: "a, ", count: 300_000) + "a]"
    #expect(failure(deep)?.message.contains("begins with ?") == true)
    #expect(failure("a:\n  ? b\n  : 1\n") != nil)
    #expect(failure("{? a : 1}") != nil)
    #expect(failure("?") != nil)
    #expect(
      try values("?a: ?b\nc?: \"? d\"\ne: f ? g").line == #"{"?a": "?b", "c?": "? d", e: "f ? g"}"#)
  }

  @Test(arguments: [62, 63, 64, 65, 900, 1100, 200_000])
  func refusesDepth(levels: Int) {
    let text = "a: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    #expect((failure(text) == nil) == (levels <= 63))
    let block = (0..<min(levels, 900)).map { String(repeating: " ", count: $0) + "a:" }
      .joined(separator: "\n")
    #expect((failure(block) == nil) == (levels <= 63))
  }

  @Test func countsTheDepthOfAliases() {
    var text = "a0: &a0 [1]\n"
    for level in 1...70 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
    #expect(failure(text)?.message.contains("deep") == true)
  }

  @Test func saysWhatIsWrongWithText() {
    #expect(failure("raw:\n\texposure: 1\n")?.message.contains("not tabs") == true)
    #expect(failure("raw:\n\texposure: 1\n")?.line == 2)
    #expect(failure("a: 1\n---\nb: 2\n")?.message.contains("one recipe") == true)
    #expect(failure("a: \"x\n")?.code == .malformed)
    #expect(failure("a: 1\u{1}\n")?.message.contains("UTF-8") == true)
    #expect(failure("- 1\n- 2\n")?.message.contains("map") == true)
    #expect(failure("[a]: 1\n")?.message.contains("names") == true)
    #expect(failure("just words")?.message.contains("a text") == true)
    #expect(failure("") == nil)
    #expect(failure("# nothing\n") == nil)
  }

  /// Any bytes give values or an error, in bounded time.
  @Test func survivesNoise() throws {
    var seed: UInt64 = 7
    func next() -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33)
    }
    let fragments = [
      "a", ":", " ", "\n", "- ", "[", "]", "{", "}", ",", "&x ", "*x", "? ", "|", ">", "\"", "'",
      "#",
      "!!str ", "%", "@", "---\n", "...\n", "\t", "1", "~", "é", "\u{E000}", "\\u", "<<", "\r",
      "  ",
    ]
    for _ in 0..<3000 {
      let text = (0..<(next() % 30)).map { _ in fragments[next() % fragments.count] }.joined()
      _ = try? RecipeDocument(text: text, path: "a.yaml")
    }
  }

  @Test func countsTheTextOfAliases() {
    func text(_ aliases: Int) -> String {
      "a: &a \(String(repeating: "x", count: 1 << 16))\nb: ["
        + Array(repeating: "*a", count: aliases).joined(separator: ", ") + "]\n"
    }
    #expect(failure(text(126)) == nil)
    #expect(failure(text(127))?.message.contains("more than 8 MiB of text") == true)
    // Names count as well.
    let map = "m: &m {\(String(repeating: "k", count: 1000)): 1}\nb: ["
    let many = Array(repeating: "*m", count: 9000).joined(separator: ", ")
    #expect(failure(map + many + "]\n")?.message.contains("more than 8 MiB of text") == true)
  }
}
