import Formats
import HDRRender
import ImageCore
import Readers
import Testing
import Writers

@testable import Containers
@testable import Remux

@Suite struct GainMapJPEGTests {
  /// Each of many segments was looked for among all others.
  @Test func manyChunksOfAProfileStay() throws {
    let iso = try WrittenScene.iso()
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: iso, alternatePrimaries: .displayP3)
    let file = try JPEGWriter(.init(.jpeg, .displayP3), workers: 1)
      .encode(WrittenScene.picture(), gainMap: map)
    let coded = try #require(try GainMapEditor(file).codedGainMap())
    let chunks = [[UInt8]](
      repeating: JPEGIdentifier.profile.segment([1, 1, 7]), count: 100_000)
    let bytes: [UInt8] = Array(coded[..<2]) + chunks.joined() + coded[2...]
    let old = try #require(JPEGSegments(try FileBytes(bytes)))
    let picture = try GainMapJPEG.picture(
      coded: coded, parameters: GainMapParameters(iso: iso), old: old)
    let found = try #require(JPEGSegments(try FileBytes(picture)))
    #expect(found.payloads(.profile).count == old.payloads(.profile).count)
    #expect(found.payloads(.profile).count >= chunks.count)
    #expect(found.payloads(.gainMap).count == 1)
  }
}
