import Containers
import Testing

@testable import Recipes

struct DarktableSettingsTests {
  @Test func enabledModulesAreNamedAndNotTaken() throws {
    let packet = try XMPPacket(Array(SidecarFixtures.darktable.utf8))
    #expect(!AdobeSettings.isIn(packet))
    let settings = SidecarSettings(packet)
    #expect(settings.recipe == .map([:]))
    // rawprepare is switched off again, sharpen is after the end of the history.
    #expect(
      settings.ignored.map { "\($0.field) \($0.value)" } == [
        "darktable:flip version 2", "darktable:exposure version 6",
        "darktable:exposure version 6, sky",
      ])
    #expect(settings.writer == "darktable, sidecar version 5" && settings.notes.isEmpty)
  }

  @Test func theListsOfOlderVersionsAreRead() throws {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:d="http://darktable.sf.net/">
       <rdf:Description tiff:Orientation="6" d:xmp_version="1">
        <d:history_operation><rdf:Seq><rdf:li>velvia</rdf:li><rdf:li>clipping</rdf:li></rdf:Seq>
        </d:history_operation>
        <d:history_enabled><rdf:Seq><rdf:li>1</rdf:li><rdf:li>0</rdf:li></rdf:Seq>\
        </d:history_enabled>
       </rdf:Description>
      </rdf:RDF>
      """
    let settings = SidecarSettings(try XMPPacket(Array(text.utf8)))
    #expect(settings.recipe == .map(["raw": .map(["orientation": .number(6)])]))
    #expect(settings.ignored.map(\.field) == ["darktable:velvia"])
  }

  /// Modules are distinguished by the bytes of their names.
  @Test func modulesAreNamedByBytes() throws {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
       xmlns:d="http://darktable.sf.net/"><rdf:Description>
        <d:history_operation><rdf:Seq><rdf:li>\u{E9}</rdf:li><rdf:li>e\u{301}</rdf:li></rdf:Seq>
        </d:history_operation>
       </rdf:Description>
      </rdf:RDF>
      """
    #expect(SidecarSettings(try XMPPacket(Array(text.utf8))).ignored.count == 2)
  }

  @Test func metadataAloneSaysNothing() throws {
    let text = SidecarFixtures.packet("photoshop:City='Ulm'")
    let settings = SidecarSettings(try XMPPacket(Array(text.utf8)))
    #expect(settings.recipe == .map([:]) && settings.ignored.isEmpty)
    #expect(settings.notes.count == 1)
  }
}
