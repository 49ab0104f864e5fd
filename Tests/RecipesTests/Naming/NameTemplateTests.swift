import Recipes
import Testing

@Suite struct NameTemplateTests {
  private var facts = NameFacts(
    stem: Array("IMG_1".utf8), ext: Array("CR2".utf8), folder: Array("2026/job".utf8),
    output: "web",
    format: "jpeg-sdr",
    picture: PictureFacts(
      make: "Canon", model: "Canon EOS 5D", lens: "EF24-70mm f/2.8L", iso: 3200,
      captureDate: "2024:02:29 23:05:09"))

  private func name(_ template: String, _ facts: NameFacts) throws -> String {
    String(decoding: try NameTemplate(template).path(facts), as: UTF8.self)
  }

  @Test(arguments: [
    ("{stem}", "IMG_1"), ("{stem}.{ext}-{output}", "IMG_1.CR2-web"), ("web/{stem}", "web/IMG_1"),
    ("{folder}/{stem}", "2026/job/IMG_1"), ("{date}/{stem}", "2024-02-29/IMG_1"),
    ("{date:%Y/%m}/{stem}", "2024/02/IMG_1"), ("{date:%y%m%d-%H%M%S}", "240229-230509"),
    ("{date:%j%%}", "060%"), ("{camera} {lens} {iso}", "Canon EOS 5D EF24-70mm f_2.8L 3200"),
    ("{format}_{stem}", "jpeg-sdr_IMG_1"), ("{{{stem}}}", "{IMG_1}"),
    ("a b/ü/{stem}", "a b/ü/IMG_1"),
  ])
  func fillsIn(template: String, expected: String) throws {
    #expect(try name(template, facts) == expected)
    #expect(try NameTemplate(template).text == template)
  }

  @Test(arguments: [
    "{stam}", "{}", "{stem", "stem}", "{stem:%Y}", "{date:%Q}", "{date:%}", "{date:}", "{date:x}",
    "",
    "/abs/{stem}", "../{stem}", "a/../{stem}", "a//{stem}", "{stem}/", ".hidden/{stem}", ".{stem}",
    "./a",
    "a\n{stem}", "{date:../%Y}", "{date:%Y/}",
  ])
  func refuses(template: String) {
    #expect(throws: RecipeError.self) { try NameTemplate(template) }
  }

  @Test func missingFactsAreUnknown() throws {
    var facts = NameFacts(stem: Array("a".utf8))
    #expect(
      try name("{date:%Y/%m}-{camera}-{lens}-{iso}-{ext}-{output}", facts)
        == "unknown-unknown-unknown-unknown-unknown-unknown")
    for date in [
      "2023:02:29 00:00:00", "0000:00:00 00:00:00", "    :  :     :  :  ", "x", "2024:13:01", "1:2",
    ] {
      facts.picture.captureDate = date
      #expect(try name("{date}", facts) == "unknown")
    }
    facts.picture.captureDate = "2024:03:01"
    #expect(try name("{date:%j %H}", facts) == "061 00")
    facts.picture.iso = .infinity
    #expect(try name("{iso}", facts) == "unknown")
  }

  @Test func theFolderItselfLeavesNothing() throws {
    var facts = NameFacts(stem: Array("a".utf8))
    #expect(try name("{folder}/{stem}", facts) == "a")
    #expect(try name("x/{folder}/{stem}", facts) == "x/a")
    #expect(try name("{folder}", facts) == "unknown")
    facts.folder = Array("/../.././b/./.git//c".utf8)
    #expect(try name("{folder}/{stem}", facts) == "_./_./b/_git/c/a")
  }

  @Test(arguments: [
    ("..", "_."), (".", "_"), (".htaccess", "_htaccess"), ("a/b", "a_b"),
    ("/etc/passwd", "_etc_passwd"),
    ("a\nb\u{7F}", "a_b_"), ("", "unknown"),
  ])
  func valuesStayInTheirPart(value: String, expected: String) throws {
    let facts = NameFacts(stem: Array(value.utf8), picture: PictureFacts(lens: value))
    #expect(try name("{stem}", facts) == expected)
    #expect(try name("x/{stem}/y", facts) == "x/\(expected)/y")
    let lens = try name("{lens}", facts)
    #expect(!lens.contains("/") && !lens.hasPrefix(".") && !lens.isEmpty)
  }

  @Test func bytesThatAreNoTextStay() throws {
    let facts = NameFacts(stem: [0x63, 0xE9, 0xFF], folder: [0xE9])
    #expect(
      try NameTemplate("{folder}/{stem}-x").path(facts) == [
        0xE9, 0x2F, 0x63, 0xE9, 0xFF, 0x2D, 0x78,
      ])
  }

  @Test func factsOfFilesAreShort() throws {
    var facts = NameFacts(stem: [0x61])
    facts.picture.lens = String(repeating: "é:", count: 5000)
    let bytes = try NameTemplate("{lens}").path(facts)
    #expect(bytes.count <= 80)
    #expect(String(validating: bytes, as: UTF8.self) != nil)
    facts.picture.lens = "  \0 "
    #expect(try name("{lens}", facts) == "unknown")
  }
}
