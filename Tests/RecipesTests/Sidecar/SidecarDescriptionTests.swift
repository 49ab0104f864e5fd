import Containers
import TestSupport
import Testing

@testable import Recipes

@Suite struct SidecarDescriptionTests {
  private static func xmp(_ attributes: String, _ elements: String = "") -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
     xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     xmlns:darktable="http://darktable.sf.net/" \(attributes)>\(elements)</rdf:Description>
    </rdf:RDF></x:xmpmeta>
    """
  }

  private func description(_ files: [String: String]) throws -> XMPPacket? {
    let folder = try TestFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let found = try SidecarFinder(folder: Array(folder.path.utf8)).sidecars(of: Array("a.CR2".utf8))
    return try found.description.map { (bytes) throws(XMPFault) in
      try XMPPacket(wellFormed: bytes)
    }
  }

  @Test func whatPeopleWroteIsTaken() throws {
    let subject = "<dc:subject><rdf:Bag><rdf:li>one</rdf:li></rdf:Bag></dc:subject>"
    let text = Self.xmp(
      "xmp:Rating='4' tiff:Make='Other' exif:FNumber='28/10' exif:GPSLatitude='47,4N' "
        + "crs:Exposure2012='1'", subject)
    let found = try #require(try description(["a.CR2": "", "a.xmp": text]))
    #expect(found[.basic, "Rating"]?.text == "4" && found.texts(.dublinCore, "subject") == ["one"])
    #expect(found[.exif, "GPSLatitude"] != nil && found[.exif, "FNumber"] == nil)
    #expect(found[.tiff, "Make"] == nil && found.fields(in: .cameraRaw).isEmpty)
  }

  @Test func darktablesColorsBecomeLabels() throws {
    let colors =
      "<darktable:colorlabels><rdf:Seq><rdf:li>2</rdf:li><rdf:li>0</rdf:li></rdf:Seq>"
      + "</darktable:colorlabels>"
    let plain = Self.xmp("xmp:Rating='1' darktable:history_end='0'", colors)
    let found = try #require(try description(["a.CR2": "", "a.CR2.xmp": plain]))
    #expect(found[.basic, "Label"]?.text == "Green" && found.fields(in: .darktable).isEmpty)
    let named = Self.xmp("xmp:Label='Blau' darktable:history_end='0'", colors)
    #expect(
      try description(["a.CR2": "", "a.CR2.xmp": named])?[.basic, "Label"]?.text == "Blau")
  }

  /// The sidecar in use describes the picture, otherwise the first that belongs to the raw.
  @Test func oneSidecarDescribes() throws {
    let settings = Self.xmp("xmp:Rating='1' crs:Exposure2012='1'")
    let plain = Self.xmp("xmp:Rating='2'")
    #expect(
      try description(["a.CR2": "", "a.CR2.xmp": plain, "a.xmp": settings])?[.basic, "Rating"]?.text
        == "1")
    #expect(try description(["a.CR2": "", "a.xmp": plain])?[.basic, "Rating"]?.text == "2")
    #expect(try description(["a.CR2": "", "a.dng": "", "b.xmp": plain]) == nil)
    #expect(try description(["a.CR2": "", "a.xmp": Self.xmp("crs:Exposure2012='1'")]) == nil)
  }

  @Test func profilesOfRawTherapee() throws {
    let profile = """
      [Version]
      AppVersion=5.9

      [General]
      ColorLabel=4
      Rank=3
      InTrash=false

      [Exposure]
      Creator=no one

      [IPTC]
      Keywords=one;two\\;three;
      Creator=Ada;
      Copyright=© Ada;
      Caption=first\\nsecond;
      Province=Styria;
      """
    let found = try #require(try description(["a.CR2": "", "a.CR2.pp3": profile]))
    #expect(found[.basic, "Rating"]?.text == "3" && found[.basic, "Label"]?.text == "Blue")
    #expect(found.texts(.dublinCore, "subject") == ["one", "two;three"])
    #expect(found.texts(.dublinCore, "creator") == ["Ada"])
    #expect(found.texts(.dublinCore, "rights") == ["© Ada"])
    #expect(found.texts(.dublinCore, "description") == ["first\nsecond"])
    #expect(found[.photoshop, "State"]?.text == "Styria")
    let both = ["a.CR2": "", "a.CR2.pp3": profile, "a.xmp": Self.xmp("xmp:Rating='5'")]
    #expect(try description(both)?[.basic, "Rating"]?.text == "5")
    #expect(try description(["a.CR2": "", "a.CR2.pp3": "[Version]\nAppVersion=5.9\n"]) == nil)
  }

  /// Label numbers that no program writes, and files of other formats.
  @Test func hostileProfiles() throws {
    for number in ["-9223372036854775808", "9223372036854775807", "0", "-1", "6"] {
      let profile = "[General]\nRank=2\nColorLabel=\(number)\n"
      let found = try #require(try description(["a.CR2": "", "a.CR2.pp3": profile]))
      #expect(found[.basic, "Rating"]?.text == "2" && found[.basic, "Label"] == nil)
    }
    let words = "[IPTC]\nKeywords=" + String(repeating: "a;", count: 1 << 19)
    #expect(throws: RecipeError.self) { try description(["a.CR2": "", "a.CR2.pp3": words]) }
  }

  /// Separators of the format are bytes, also before combining marks; longer names are different.
  @Test func profilesAreBytes() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 200)
    let profile = """
      \(marks)
      [\(marks)]
      Creator=no one
      [IPTC]
      \(marks)=no one
      Keywords=one;\u{301}two;Cafe\u{301}\\\\;
      """
    let found = try #require(try description(["a.CR2": "", "a.CR2.pp3": profile]))
    let words = found.texts(.dublinCore, "subject").map { Array($0.utf8) }
    #expect(words == ["one", "\u{301}two", "Cafe\u{301}\\"].map { Array($0.utf8) })
    #expect(found.texts(.dublinCore, "creator").isEmpty)
  }
}
