import Foundation
import Testing

@testable import Batch

/// Text and links in pages.
@Suite struct HTMLTextTests {
  /// For any text, HTML reads the visible text and never markup.
  @Test(arguments: 0..<300) func anyText(seed: UInt64) {
    var chance = SampleReports(seed: seed)
    let text = chance.text()
    let escaped = HTMLText.escaped(text)
    #expect(!escaped.contains { "<>\"'".contains($0) })
    let read = escaped.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
    #expect(!read.replacing("&amp;", with: "").unicodeScalars.contains("&"))
    #expect(read.replacing("&amp;", with: "&") == EscapedText.of(text))
  }

  @Test func links() {
    func link(_ path: String, from folder: String = "/a/b") -> String {
      HTMLText.link(to: path, from: folder, working: "/a")
    }
    #expect(link("/a/b/x.jpg") == "x.jpg" && link("b/c/x.jpg") == "c/x.jpg")
    #expect(link("/a/x.jpg") == "../x.jpg" && link("/z/x.jpg") == "../../z/x.jpg")
    #expect(link("b/./../b//x.jpg") == "x.jpg" && link("/a/b/x.jpg", from: "b/") == "x.jpg")
    #expect(link("b/javascript:alert(1)") == "javascript%3Aalert%281%29")
    #expect(link("b/a b?c#d%.jpg") == "a%20b%3Fc%23d%25.jpg")
    #expect(link("b/\n\"<é>") == "%0A%22%3C%C3%A9%3E")
    #expect(link("//evil.example/x") == "../../evil.example/x")
    #expect(link("") == "../../a" && link("/", from: "/") == "")
  }

  /// Every link leads where the path does, as Foundation follows it.
  @Test(arguments: 0..<200) func linksLeadToTheirFile(seed: UInt64) throws {
    var chance = SampleReports(seed: seed)
    func path(_ depth: Int) -> String {
      (0..<depth).map { _ in
        let part = chance.text().replacing("/", with: "_").replacing("\0", with: "0")
        return ["a", "b", "x" + part].randomElement(using: &chance) ?? "a"
      }.joined(separator: "/")
    }
    let (target, folder) = ("/" + path(4), "/" + path(2))
    let link = HTMLText.link(to: target, from: folder, working: "/")
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%/".utf8)
    #expect(link.utf8.allSatisfy(allowed.contains))
    var parts = folder.split(separator: "/").map(String.init)
    for part in link.split(separator: "/") {
      if part == ".." {
        parts.removeLast()
      } else {
        parts.append(try #require(part.removingPercentEncoding))
      }
    }
    #expect("/" + parts.joined(separator: "/") == target)
  }
}
