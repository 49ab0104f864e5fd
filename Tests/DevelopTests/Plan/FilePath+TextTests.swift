import SystemPackage
import Testing

@testable import Develop

@Suite struct FilePathTextTests {
  /// Names with every byte that a name can have, UTF-8 and not.
  static let names: [[UInt8]] = [
    Array("plain.dng".utf8), Array("with space.dng".utf8), Array("a\nb\u{7F}\t\"\\.dng".utf8),
    [0xFF, 0xFE, 0x25, 0x41], [0xC3], Array("100%41.dng".utf8), [0xC3, 0x28, 0x20, 0x25],
    Array("é\u{202E}日本\u{1F4F7}".utf8), Array("e\u{301}".utf8), Array("file:".utf8), Array(1...46),
    Array(48...255), [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
  ]

  @Test(arguments: names) func textLosesNothing(name: [UInt8]) {
    for prefix in ["/raws/", "", "../"] {
      let path = FilePath(bytes: Array(prefix.utf8) + name)
      #expect(FilePath(text: path.text).bytes == path.bytes)
      #expect(path.bytes == Array(prefix.utf8) + name)
    }
  }

  @Test func everyPairOfBytesComesBack() {
    for first in UInt8(1)...255 where first != UInt8(ascii: "/") {
      for second in stride(from: UInt8(1), through: 255, by: 7) where second != UInt8(ascii: "/") {
        let path = FilePath(bytes: [UInt8(ascii: "/"), 0x78, first, second])
        if FilePath(text: path.text).bytes != path.bytes { Issue.record("\(first) \(second)") }
      }
    }
  }

  @Test func namesThatLookLikeAddressesComeBack() {
    // A folder called "file:" looks like a URL itself, so it is written as one.
    let path = FilePath("file:/x")
    #expect(FilePath(text: path.text) == path)
    #expect(FilePath("plain/é").text == "plain/é")
    #expect(FilePath(bytes: [0x2F, 0xFF]).text == "file:///%FF")
    #expect(FilePath(text: "file:///a%20b%2") == FilePath("/a b%2"))
    #expect(FilePath(text: "file:///a%zz") == FilePath("/a%zz"))
  }

  @Test(arguments: names) func whatPeopleSeeIsOneLine(name: [UInt8]) {
    let shown = FilePath(bytes: name).shown
    #expect(!shown.isEmpty && shown.split(whereSeparator: \.isNewline).count == 1)
    let hidden = shown.unicodeScalars.contains {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" || $0 == "\u{2028}"
    }
    #expect(!hidden)
  }

  @Test func plainNamesAreShownAsTheyAre() {
    #expect(FilePath("/Fotos/Äpfel & Birnen.CR2").shown == "/Fotos/Äpfel & Birnen.CR2")
    #expect(FilePath("a\nb").shown == "a\\u{a}b")
  }

  @Test func partsBelowAFolder() {
    #expect(FilePath("/a/b/c").relative(to: "/a") == "b/c")
    #expect(FilePath("/ab/c").relative(to: "/a") == nil)
    #expect(FilePath("/a").relative(to: "/a/b") == nil)
  }
}
