import Containers
import TestSupport
import Testing

@testable import Recipes

@Suite struct PictureMarksTests {
  private func marks(_ text: String, over weaker: PictureMarks = .init()) throws -> PictureMarks {
    try RecipeDocument(text: text).marks(over: weaker)
  }

  @Test func aDocumentOverridesItsXMP() throws {
    let weaker = PictureMarks(rating: 2, pick: .rejected)
    #expect(try marks("schema: 1", over: weaker) == weaker)
    #expect(try marks("rating: 4", over: weaker) == PictureMarks(rating: 4, pick: .rejected))
    #expect(try marks("pick: picked", over: weaker) == PictureMarks(rating: 2, pick: .picked))
    #expect(try marks("rating: 0\npick: null", over: weaker) == PictureMarks(rating: 0))
    #expect(try marks("{\"rating\": null}", over: weaker) == PictureMarks(pick: .rejected))
  }

  @Test(arguments: [
    "rating: 6", "rating: -1", "rating: 2.5", "rating: two", "pick: yes", "pick: 1",
  ])
  func invalidValuesAreReportedAndDoNotCount(text: String) throws {
    let document = try RecipeDocument(text: text)
    #expect(document.problems().contains { $0.severity == .error })
    let weaker = PictureMarks(rating: 1, pick: .picked)
    #expect(document.marks(over: weaker) == weaker)
    // They are no settings of the development.
    #expect(try Recipe(LayeredRecipe([RecipeLayer(.sidecar, "a", document)])) == Recipe())
  }

  @Test func theyAreKeysOfADocument() throws {
    #expect(try RecipeDocument(text: "rating: 3\npick: rejected").problems().isEmpty)
    let old = Array("# Mine.\nschema: 1\nraw: {exposure: 1}\n".utf8)
    let set = try RecipeDocument.edited(
      old, of: Array("a.yaml".utf8), with: [.init(RecipePath(keys: "rating"), 3)])
    #expect(set == "# Mine.\nschema: 1\nraw: {exposure: 1}\nrating: 3\n")
    let removed = try RecipeDocument.edited(
      Array(set.utf8), of: Array("a.yaml".utf8), with: [.init(RecipePath(keys: "rating"), nil)])
    #expect(Array(removed.utf8) == old)
    #expect(throws: RecipeError.self) {
      try RecipeDocument.edited(
        nil, of: Array("a.yaml".utf8), with: [.init(RecipePath(keys: "rating"), 6)])
    }
  }

  @Test(arguments: [-1.0, 0, 1, 3, 5]) func numbersOfXMPGoBothWays(number: Double) {
    #expect(PictureMarks(xmp: number).xmpRating == Int(number))
  }

  @Test func otherNumbersAreNone() {
    for number in [nil, -2, 6, 99, .infinity, 1e300] as [Double?] {
      #expect(PictureMarks(xmp: number) == PictureMarks())
    }
    #expect(PictureMarks(rating: 4, pick: .rejected).xmpRating == -1)
    #expect(PictureMarks(rating: 4, pick: .picked).xmpRating == 4)
  }

  /// The metadata of outputs have the rating of the sidecar; the rest of the XMP stays.
  @Test func outputsHaveTheRating() throws {
    let folder = try TestFolder()
    try folder.write("raw", to: "a.CR2")
    try folder.write(
      SidecarFixtures.packet(
        "xmp:Rating='2' xmp:Label='Red' xmlns:xmp='http://ns.adobe.com/xap/1.0/'"),
      to: "a.xmp")
    func rating(_ sidecar: String?) throws -> (Double?, String?) {
      if let sidecar { try folder.write(sidecar, to: "a.CR2.rawdev.yaml") }
      let resolved = try RecipeResolver().resolve(.init(path: folder.bytes + Array("/a.CR2".utf8)))
      let packet = XMPPacket(lenient: resolved.description ?? [])
      return (packet[.rating]?.number, packet[.label]?.text)
    }
    #expect(try rating(nil) == (2, "Red"))
    #expect(try rating("raw: {exposure: 1}") == (2, "Red"))
    #expect(try rating("rating: 5") == (5, "Red"))
    #expect(try rating("pick: rejected") == (-1, "Red"))
    try folder.write("", to: "a.xmp.old")
    try folder.write("raw", to: "b.CR2")
    try folder.write("rating: 1", to: "b.CR2.rawdev.yaml")
    let alone = try RecipeResolver().resolve(.init(path: folder.bytes + Array("/b.CR2".utf8)))
    #expect(XMPPacket(lenient: alone.description ?? [])[.rating]?.number == 1)
  }
}
