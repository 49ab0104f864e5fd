import Formats
import Foundation
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Remux

/// Taking maps out of files: nothing of them is left, nothing else is touched.
@Suite struct GainMapRemovalTests {
  /// What both have in common: pixels, orientation, colors, Exif except for the maker note.
  private func expectSameBase(_ before: StillImage, _ after: StillImage) throws {
    #expect(after.size == before.size && after.orientation == before.orientation)
    #expect(after.color == before.color && after.hdrMetadata == before.hdrMetadata)
    let entries = { (image: StillImage) in image.metadata.entries.filter { $0.tag != 0x927C } }
    #expect(entries(after) == entries(before))
    #expect(after.thumbnails.count >= (before.kind == .jpeg ? 0 : before.thumbnails.count))
    #expect(try WrittenScene.pixels(try after.base()) == WrittenScene.pixels(try before.base()))
  }

  @Test(arguments: SharedGainMaps.heics + [SharedGainMaps.avif] + SharedGainMaps.jpegs)
  func sharedFilesLoseAllTheirHDR(name: String) throws {
    let bytes = try SharedFiles.bytes("hdr/" + name)
    let editor = try GainMapEditor(bytes)
    #expect(editor.image.gainMap != nil)
    for (edited, isFull) in [
      (try editor.removingHDR(), true), (try editor.discardingGainMap(), false),
    ] {
      let after = try StillImage(edited.bytes)
      #expect(after.gainMap == nil && after.gainMapParameters.formats.isEmpty)
      #expect(!after.isHighDynamicRange && after.contentHeadroom == 1)
      #expect(after.makerApple == editor.image.makerApple)
      #expect(edited.bytes.count < bytes.count)
      if isFull { try expectSameBase(editor.image, after) }
      for mark in ["hdrgm", "HDRGainMap", "hdrgainmap", "21496", "tmap", "AMPF", "GainMap"] {
        #expect(edited.bytes.firstRange(of: Array(mark.utf8)) == nil, "\(mark)")
      }
      // There is nothing more to take out.
      let again = try GainMapEditor(edited.bytes)
      #expect(try again.discardingGainMap().bytes == edited.bytes)
      #expect(try (isFull ? again.removingHDR() : again.discardingGainMap()).bytes == edited.bytes)
      let full = try again.removingHDR().bytes
      #expect(full == (try editor.removingHDR().bytes))
    }
  }

  /// The coded data of the primary, from its tables on, are unchanged in the result.
  @Test(arguments: SharedGainMaps.jpegs)
  func codedDataOfJPEGsStay(name: String) throws {
    let bytes = try SharedFiles.bytes("hdr/" + name)
    let edited = try GainMapEditor(bytes).removingHDR().bytes
    func coded(_ bytes: [UInt8]) throws -> [UInt8] {
      let image = try #require(JPEGSegments(try FileBytes(bytes)))
      let end = try #require(image.end())
      return Array(bytes[(image.applications.last?.payload.upperBound ?? 2)..<end])
    }
    #expect(try coded(edited) == coded(bytes))
    let image = try #require(JPEGSegments(try FileBytes(edited)))
    #expect(image.end() == edited.count && image.pictureIndex == nil)
  }

  /// Items that stay are bit for bit the items they were.
  @Test(arguments: SharedGainMaps.heics + [SharedGainMaps.avif])
  func itemsStay(name: String) throws {
    let bytes = try SharedFiles.bytes("hdr/" + name)
    let before = try HEIFDocument(FileBytes(bytes))
    let after = try HEIFDocument(FileBytes(try GainMapEditor(bytes).discardingGainMap().bytes))
    #expect(after.meta.primary == before.meta.primary)
    for number in after.meta.order {
      // XMP may have named the map.
      if after.meta.items[number]?.type != "mime" {
        #expect(try after.bytes(of: number) == before.bytes(of: number))
      }
      #expect(after.meta.items[number]?.info == before.meta.items[number]?.info)
      let properties = { (file: HEIFDocument) in
        file.meta.items[number]?.associations.map { file.meta.properties[$0.property] } ?? []
      }
      #expect(properties(after) == properties(before))
    }
    #expect(after.toneMaps.isEmpty && after.auxiliaryMaps.isEmpty)
    // Nothing refers to removed items, and all media data are referenced.
    let stored = try after.meta.order.reduce(0) { try $0 + after.bytes(of: $1).count }
    let media = after.parts.reduce(after.meta.inline.count) {
      if case .media(let range) = $1 { $0 + range.count } else { $0 }
    }
    #expect(stored == media)
  }

  @Test(arguments: [Set<GainMapFormat>.all, [.iso], [.apple]])
  func writtenHEICs(formats: Set<GainMapFormat>) throws {
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .bt2020)
    let writer = try HEIFWriter(
      .init(.heif, .displayP3).with { $0.mapFormats = formats }, workers: 1)
    let bytes = try writer.encode(WrittenScene.picture(), gainMap: map)
    let editor = try GainMapEditor(bytes)
    let edited = try editor.removingHDR()
    let after = try StillImage(edited.bytes)
    #expect(after.gainMap == nil && after.notes.isEmpty)
    try expectSameBase(editor.image, after)
  }

  @Test(arguments: [Set<GainMapFormat>.all, [.iso], [.apple], [.ultraHDR]])
  func writtenJPEGs(formats: Set<GainMapFormat>) throws {
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .displayP3)
    let writer = try JPEGWriter(
      .init(.jpeg, .displayP3).with { $0.mapFormats = formats }, workers: 1)
    let bytes = try writer.encode(WrittenScene.picture(), gainMap: map)
    let editor = try GainMapEditor(bytes)
    let edited = try editor.removingHDR()
    let after = try StillImage(edited.bytes)
    #expect(after.gainMap == nil && after.notes.isEmpty)
    try expectSameBase(editor.image, after)
  }

  /// A picture that is HDR by itself is not made SDR by an edit; without a map discarding changes
  /// nothing.
  @Test func picturesThatAreHDRThemselves() throws {
    let picture = try Image<DisplayReferred>(
      size: WrittenScene.size, info: .init(primaries: .bt2020, headroom: 2)
    ) { planes in
      for plane in 0..<3 {
        for y in 0..<WrittenScene.size.height {
          for x in 0..<WrittenScene.size.width { planes.row(plane, y)[x] = Float(x) / 100 }
        }
      }
    }
    let bytes = try HEIFWriter(.init(.heif, .bt2100PQ), workers: 1).encode(picture)
    let editor = try GainMapEditor(bytes)
    #expect(throws: ReadError.self) { try editor.removingHDR() }
    #expect(try editor.discardingGainMap().bytes == bytes)
  }
}
