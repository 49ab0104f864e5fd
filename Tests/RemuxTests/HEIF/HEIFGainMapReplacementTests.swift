import HDRRender
import ImageCore
import Readers
import Testing
import Writers

@testable import Containers
@testable import Remux

@Suite struct HEIFGainMapReplacementTests {
  /// Each of the tiles of the old map was looked for among all references and groups.
  @Test func mapsOfManyTilesAreReplaced() throws {
    var document = try HEIFDocument(FileBytes(HEIFDocumentTests.written()))
    let (base, count) = (document.meta.primary, 30_000)
    let map = try #require(document.auxiliaryMaps.first)
    let before = document.meta.order.count
    let tiles = (0..<count).map { _ in
      document.meta.addItem("hvc1", .new([], isInline: true), isHidden: true)
    }
    document.meta.references.append(.init(type: "dimg", from: map, to: tiles))
    for _ in 0..<count {
      let number = document.meta.addItem("iden", .new([], isInline: true), isHidden: true)
      document.meta.references.append(.init(type: "dimg", from: number, to: [base]))
    }
    // Two that others need.
    let user = document.meta.addItem("iden", .new([], isInline: true), isHidden: false)
    document.meta.references.append(.init(type: "dimg", from: user, to: [tiles[7]]))
    document.meta.group("altr", [tiles[8], user], anchor: user)
    let coded = try CodedGainMap.tiles(
      WrittenScene.map(seed: 1), codec: HEVCStillCodec(), quality: 0.8, workers: 1)
    let notes = try HEIFGainMapReplacement(
      map: coded, parameters: nil, upright: PixelSize(width: 8, height: 8), primaries: .displayP3
    ).apply(to: &document)
    #expect(notes.isEmpty)
    #expect(document.meta.order.count == before + count + 3)
    #expect(tiles.filter { document.meta.items[$0] != nil } == [tiles[7], tiles[8]])
    #expect(document.meta.targets("dimg", of: map).isEmpty)
  }
}
