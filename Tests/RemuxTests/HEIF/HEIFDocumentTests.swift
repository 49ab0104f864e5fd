import Foundation
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

@testable import Containers
@testable import Remux

/// Files of all legal layouts are edited alike.
@Suite struct HEIFDocumentTests {
  static func written(_ formats: Set<GainMapFormat> = .all) throws -> [UInt8] {
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .bt2020)
    return try HEIFWriter(
      .init(.heif, .displayP3).with { $0.mapFormats = formats }, workers: 1
    ).encode(WrittenScene.picture(), gainMap: map)
  }

  static let layouts: [RelaidHEIF] = [
    RelaidHEIF(), RelaidHEIF(locationVersion: 0), RelaidHEIF(locationVersion: 2, wideNumbers: true),
    RelaidHEIF(wideNumbers: true, wideOffsets: true, hasBase: true),
    RelaidHEIF(hasBase: true, split: 7), RelaidHEIF(split: 100, mediaFirst: true),
    RelaidHEIF(mediaFirst: true, longMediaHeader: true, unknownBoxes: true),
    RelaidHEIF(openEnd: true), RelaidHEIF(locationVersion: 0, split: 30, unknownBoxes: true),
  ]

  @Test(arguments: layouts.indices) func everyLayoutIsEdited(index: Int) throws {
    let source = try Self.layouts[index].bytes(Self.written())
    let before = try StillImage(source)
    #expect(before.gainMap != nil)
    let editor = try GainMapEditor(source)
    let removed = try editor.removingHDR().bytes
    let after = try StillImage(removed)
    #expect(after.gainMap == nil && after.notes.isEmpty)
    #expect(
      try WrittenScene.pixels(try after.base()) == WrittenScene.pixels(try before.base()))
    let replaced = try editor.replacingGainMap(.image(WrittenScene.map(seed: 1)), workers: 1).bytes
    let other = try StillImage(replaced)
    #expect(other.gainMapParameters == before.gainMapParameters)
    #expect(try other.gainMapImage() != before.gainMapImage())
    #expect(
      try WrittenScene.pixels(try other.base()) == WrittenScene.pixels(try before.base()))
    if Self.layouts[index].unknownBoxes {
      for mark in ["abcd\u{1}\u{2}\u{3}", "wxyz\t\t"] {
        #expect(removed.firstRange(of: Array(mark.utf8)) != nil)
        #expect(replaced.firstRange(of: Array(mark.utf8)) != nil)
      }
    }
  }

  /// A document without changes has the same items, however it lay.
  @Test(arguments: layouts.indices) func writingKeepsAllItems(index: Int) throws {
    let before = try HEIFDocument(FileBytes(Self.layouts[index].bytes(Self.written())))
    let after = try HEIFDocument(FileBytes(before.bytes()))
    #expect(
      after.meta.order == before.meta.order && after.meta.references == before.meta.references)
    #expect(
      after.meta.properties == before.meta.properties && after.meta.primary == before.meta.primary)
    for number in before.meta.order {
      #expect(try after.bytes(of: number) == before.bytes(of: number))
      #expect(after.meta.items[number]?.associations == before.meta.items[number]?.associations)
    }
    // Written twice it is the same.
    #expect(try after.bytes() == before.bytes())
  }

  private func refusal(_ bytes: [UInt8]) -> FormatError.Code? {
    do {
      _ = try HEIFDocument(FileBytes(bytes)).bytes()
      return nil
    } catch { return error.code }
  }

  /// What an edit could break is refused.
  @Test func whatIsNotKnownIsRefused() throws {
    let file = try Self.written()
    func box(_ type: String) -> [UInt8] { ISOBox.bytes(type, [0, 0, 0, 0]) }
    #expect(refusal(file) == nil)
    #expect(refusal(file + box("free")) == nil)
    #expect(refusal(file + box("moov")) == .unsupported)
    #expect(refusal(file + box("meta")) == .unsupported)
    #expect(refusal(file + [0, 0, 0]) == .unsupported)
    #expect(refusal(file.dropLast(5)) == .damaged)
    #expect(refusal(file + [0, 0, 0, 0] + Array("free".utf8)) == .unsupported)
  }

  /// A picture that is made of the map keeps the map in the file: nothing is written.
  @Test func mapsThatOthersNeedStay() throws {
    var document = try HEIFDocument(FileBytes(Self.written()))
    let map = try #require(document.auxiliaryMaps.first)
    let other = document.meta.addItem("iden", .new([], isInline: true), isHidden: false)
    document.meta.references.append(.init(type: "dimg", from: other, to: [map]))
    let editor = try GainMapEditor(document.bytes())
    #expect(throws: ReadError.self) { try editor.discardingGainMap() }
  }

  /// Where the tone map is the main picture, its base becomes it, with its Exif.
  @Test func toneMapsThatArePrimary() throws {
    var document = try HEIFDocument(FileBytes(Self.written()))
    let base = document.meta.primary
    let tone = try #require(document.toneMaps.first)
    document.meta.primary = tone
    document.meta.setHidden(true, base)
    for index in document.meta.references.indices
    where document.meta.references[index].type == "cdsc" {
      document.meta.references[index].to = document.meta.references[index].to.map {
        $0 == base ? tone : $0
      }
    }
    let editor = try GainMapEditor(document.bytes())
    let after = try HEIFDocument(FileBytes(editor.removingHDR().bytes))
    #expect(after.meta.primary == base && !after.meta.isHidden(base) && !after.hasBrand("tmap"))
    #expect(after.meta.order.contains { after.meta.items[$0]?.type == "Exif" })
    #expect(after.meta.references.allSatisfy { $0.to == [base] || $0.type == "dimg" })
  }
}
