import Recipes
import Testing

@Suite struct NameTemplateTests {
  private var info = NameInfo(
    stem: Array("IMG_1".utf8), ext: Array("CR2".utf8), folder: Array("2026/job".utf8),
    output: "web",
    format: "jpeg-sdr",
    picture: PictureInfo(
      make: "Canon", model: "Canon EOS 5D", lens: "EF24-70mm f/2.8L", iso: 3200,
      captureDate: "2024:02:29 23:05:09"))

  private func name(_ template: String, _ info: NameInfo) throws -> String {
    String(decoding: try NameTemplate(template).path(info), as: UTF8.self)
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
    #expect(try name(template, info) == expected)
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

  @Test func missingInfoIsUnknown() throws {
    var info = NameInfo(stem: Array("a".utf8))
    #expect(
      try name("{date:%Y/%m}-{camera}-{lens}-{iso}-{ext}-{output}", info)
        == "unknown-unknown-unknown-unknown-unknown-unknown")
    for date in [
      "2023:02:29 00:00:00", "0000:00:00 00:00:00", "    :  :     :  :  ", "x", "2024:13:01", "1:2",
    ] {
      info.picture.captureDate = date
      #expect(try name("{date}", info) == "unknown")
    }
    info.picture.captureDate = "2024:03:01"
    #expect(try name("{date:%j %H}", info) == "061 00")
    info.picture.iso = .infinity
    #expect(try name("{iso}", info) == "unknown")
  }

  @Test func theFolderItselfLeavesNothing() throws {
    var info = NameInfo(stem: Array("a".utf8))
    #expect(try name("{folder}/{stem}", info) == "a")
    #expect(try name("x/{folder}/{stem}", info) == "x/a")
    #expect(try name("{folder}", info) == "unknown")
    info.folder = Array("/../.././b/./.git//c".utf8)
    #expect(try name("{folder}/{stem}", info) == "_./_./b/_git/c/a")
  }

  @Test(arguments: [
    ("..", "_."), (".", "_"), (".htaccess", "_htaccess"), ("a/b", "a_b"),
    ("/etc/passwd", "_etc_passwd"),
    ("a\nb\u{7F}", "a_b_"), ("", "unknown"),
  ])
  func valuesStayInTheirPart(value: String, expected: String) throws {
    let info = NameInfo(stem: Array(value.utf8), picture: PictureInfo(lens: value))
    #expect(try name("{stem}", info) == expected)
    #expect(try name("x/{stem}/y", info) == "x/\(expected)/y")
    let lens = try name("{lens}", info)
    #expect(!lens.contains("/") && !lens.hasPrefix(".") && !lens.isEmpty)
  }

  @Test func bytesThatAreNoTextStay() throws {
    let info = NameInfo(stem: [0x63, 0xE9, 0xFF], folder: [0xE9])
    #expect(
      try NameTemplate("{folder}/{stem}-x").path(info) == [
        0xE9, 0x2F, 0x63, 0xE9, 0xFF, 0x2D, 0x78,
      ])
  }

  @Test func infoOfFilesIsShort() throws {
    var info = NameInfo(stem: [0x61])
    info.picture.lens = String(repeating: "é:", count: 5000)
    let bytes = try NameTemplate("{lens}").path(info)
    #expect(bytes.count <= 80)
    #expect(String(validating: bytes, as: UTF8.self) != nil)
    info.picture.lens = "  \0 "
    #expect(try name("{lens}", info) == "unknown")
  }
}
