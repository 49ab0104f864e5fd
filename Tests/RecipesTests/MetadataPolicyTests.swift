import Containers
import ImageCore
import Recipes
import Testing

@Suite struct MetadataPolicyTests {
  private static let metadata: CaptureMetadata = {
    var description = XMPDescription()
    description.add(.basic, "Rating", "3")
    description.add(.basic, "Label", "Red")
    description.add(.photoshop, "City", "Graz")
    description.add(.exif, "GPSLatitude", "47,4N")
    description.add(.media, "DocumentID", "own")
    description.add(.dublinCore, "subject", .bag, ["Graz"])
    description.add(.dublinCore, "rights", .languages, ["mine"])
    var metadata = CaptureMetadata(xmp: XMPWriter.packet(descriptions: [description.text]))
    metadata[.image, 0x010F] = .ascii("Acme")
    metadata[.exif, 0x9003] = .ascii("2024:05:06 07:08:09")
    metadata[.exif, 0x9286] = .undefined([1])
    metadata[.gps, 2] = .rationals([Rational(47, 1), Rational(4, 1), Rational(0, 1)])
    metadata.iptc = IPTCDataset(2, 80, Array("Ada".utf8)).bytes
    metadata.makerNote = .init(bytes: [1], placement: .anywhere)
    metadata.derivation = .init(source: "s", document: "d")
    return metadata
  }()

  private func packet(_ policy: MetadataPolicy) throws -> XMPPacket {
    try XMPPacket(
      wellFormed: XMPWriter.packet(policy.applied(to: Self.metadata), format: "image/jpeg"))
  }

  @Test func allIsUnchanged() throws {
    #expect(MetadataPolicy.all.applied(to: Self.metadata) == Self.metadata)
    let found = try packet(.all)
    #expect(
      found[.photoshop, "City"]?.text == "Graz" && found.texts(.dublinCore, "creator") == ["Ada"])
  }

  @Test func locationsGoRightsStay() throws {
    let part = MetadataPolicy.noLocation.applied(to: Self.metadata)
    #expect(part.iptc == nil && part.makerNote == nil && part.location == nil)
    #expect(part.make == "Acme" && part[.exif, 0x9286] != nil)
    let found = try packet(.noLocation)
    let kept = Set(found.properties.keys.map(\.name))
    #expect(kept.isSuperset(of: ["Rating", "Label", "rights", "creator", "DocumentID"]))
    #expect(kept.isDisjoint(with: ["City", "GPSLatitude", "subject"]))
  }

  @Test func littleAndNothing() throws {
    let found = try packet(.minimal)
    #expect(found.texts(.dublinCore, "rights") == ["mine"])
    #expect(found.texts(.dublinCore, "creator") == ["Ada"])
    #expect(found[.documentID] == nil && found[.rating] == nil)
    #expect(MetadataPolicy.minimal.applied(to: Self.metadata)[.exif, 0x9286] == nil)
    // The source is known at the output, but not written.
    var nothing = CaptureMetadata()
    nothing.derivation = Self.metadata.derivation
    nothing.derivation?.isWritten = false
    #expect(MetadataPolicy.none.applied(to: Self.metadata) == nothing)
    #expect(try packet(.none)[.documentID] == nil)
  }

  @Test func recipesNeedMetadata() throws {
    var output = Recipe.Output()
    output.embedsRecipe = true
    for policy in MetadataPolicy.allCases {
      output.metadata = policy
      let isRefused = (try? output.validate()) == nil
      #expect(isRefused == (policy == .minimal || policy == .none))
    }
  }
}
