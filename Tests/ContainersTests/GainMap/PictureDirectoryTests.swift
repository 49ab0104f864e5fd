import Testing

@testable import Containers

@Suite struct PictureDirectoryTests {
  @Test func listOfElements() {
    let list = PictureDirectory(
      XMLTree(
        Array(
          """
          <rdf:Description xmlns:C="http://ns.google.com/photos/1.0/container/"><C:Directory>\
          <rdf:Seq>
          <rdf:li rdf:parseType="Resource"><C:Item rdf:parseType="Resource"><I:Semantic>Primary\
          </I:Semantic><I:Padding>7</I:Padding></C:Item></rdf:li><rdf:li rdf:parseType="Resource">
          <C:Item rdf:parseType="Resource"><I:Semantic>GainMap</I:Semantic><I:Length>30</I:Length>
          </C:Item></rdf:li></rdf:Seq></C:Directory></rdf:Description>
          """.utf8), .lenient))
    #expect(list.hasGainMap && list.items.count == 2)
    #expect(list.gainMapStarts(count: 100, end: 60) == [70, 67])
  }

  @Test func whatIsWrittenIsRead() {
    let list = PictureDirectory(
      XMLTree(
        XMPWriter.packet(descriptions: [PictureDirectory.description(mapBytes: 4711)]), .lenient))
    #expect(list.items.map(\.semantic) == [.primary, .gainMap])
    #expect(list.gainMapStarts(count: 10_000, end: 5000) == [10_000 - 4711, 5000])
  }

  @Test func otherSemanticsAreNotNamed() {
    let text = ["GainMap" + StringBytesTests.marks, StringBytesTests.marks, "", "GainMap"].map {
      "<I:Item I:Semantic='\($0)'/>"
    }.joined()
    let list = PictureDirectory(XMLTree(Array("<a>\(text)</a>".utf8), .lenient))
    #expect(list.items.map(\.semantic) == [.other, .other, .none, .gainMap])
  }
}
