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

/// Other maps in files that are there: the base stays, the map is the new one, in the forms that
/// are said.
@Suite struct GainMapReplacementTests {
  private func written(jpeg: Bool, _ formats: Set<GainMapFormat> = .all) throws -> [UInt8] {
    if !jpeg { return try HEIFDocumentTests.written(formats) }
    let map = StoredGainMap(
      try WrittenScene.map(), metadata: try WrittenScene.iso(), alternatePrimaries: .displayP3)
    return try JPEGWriter(
      .init(.jpeg, .displayP3).with { $0.mapFormats = formats }, workers: 1
    )
    .encode(WrittenScene.picture(), gainMap: map)
  }

  private func distance(_ a: GainMapImage, _ b: GainMapImage) -> Int {
    zip(a.codes, b.codes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  @Test(arguments: [true, false]) func otherSamples(jpeg: Bool) throws {
    let source = try written(jpeg: jpeg)
    let editor = try GainMapEditor(source)
    let map = try WrittenScene.map(seed: 1)
    let edited = try editor.replacingGainMap(.image(map), quality: 1, workers: 1)
    #expect(edited.notes.isEmpty)
    let after = try StillImage(edited.bytes)
    #expect(after.gainMapParameters == editor.image.gainMapParameters)
    #expect(after.gainMap?.formats == editor.image.gainMap?.formats)
    #expect(distance(try after.gainMapImage(), map) <= 3)
    #expect(
      try WrittenScene.pixels(try after.base()) == WrittenScene.pixels(try editor.image.base()))
    #expect(after.metadata == editor.image.metadata || jpeg)
    // Whatever the map was, without it the file is the same.
    let bare = try GainMapEditor(edited.bytes).removingHDR().bytes
    #expect(try StillImage(bare).gainMap == nil)
    if jpeg { #expect(try bare == editor.removingHDR().bytes) }
  }

  /// In a JPEG the coded data of a given map are put in as they are.
  @Test func codedMapsGoIntoJPEGsUntouched() throws {
    let editor = try GainMapEditor(written(jpeg: true))
    let coded = try #require(try editor.codedGainMap())
    let same = try editor.replacingGainMap(.jpeg(coded), workers: 1)
    #expect(try StillImage(same.bytes).gainMapImage() == editor.image.gainMapImage())
    #expect(try #require(try GainMapEditor(same.bytes).codedGainMap()) == coded)
    #expect(same.bytes == (try written(jpeg: true)))
  }

  /// Without a map: removing and inserting a map restores it.
  @Test(arguments: [true, false]) func mapsGoBackIn(jpeg: Bool) throws {
    let source = try written(jpeg: jpeg)
    let editor = try GainMapEditor(source)
    let auxiliary = try #require(try editor.image.auxiliaryGainMap())
    let bare = try editor.discardingGainMap().bytes
    let again = try GainMapEditor(bare)
    #expect(again.image.gainMap == nil)
    #expect(throws: ReadError.self) {
      try again.replacingGainMap(.image(auxiliary.image()), workers: 1)
    }
    let edited = try again.replacingGainMap(
      .image(auxiliary.image()), parameters: auxiliary.metadata, quality: 1, workers: 1)
    let after = try StillImage(edited.bytes)
    #expect(after.gainMapParameters == editor.image.gainMapParameters)
    #expect(distance(try after.gainMapImage(), try editor.image.gainMapImage()) <= 3)
    #expect(after.contentHeadroom == editor.image.contentHeadroom)
    #expect(
      try WrittenScene.pixels(try after.base()) == WrittenScene.pixels(try editor.image.base()))
    // And out again.
    #expect(try GainMapEditor(edited.bytes).discardingGainMap().bytes.count == bare.count || !jpeg)
  }

  /// Forms come and go with the metadata.
  @Test(arguments: [true, false], [Set<GainMapFormat>.all, [.iso], [.apple]])
  func otherParameters(jpeg: Bool, formats: Set<GainMapFormat>) throws {
    let editor = try GainMapEditor(written(jpeg: jpeg, formats))
    let map = try WrittenScene.map()
    let iso = try WrittenScene.iso(stops: 1.5)
    let apple = AppleGainMap(headroom: 2.5)
    for parameters in [
      GainMapParameters(iso: iso), GainMapParameters(apple: apple),
      GainMapParameters(iso: iso, ultraHDR: HDRGMValues(iso), apple: apple),
    ] {
      let edited = try editor.replacingGainMap(
        .image(map), parameters: parameters, quality: 1, workers: 1)
      var wanted = parameters
      if !jpeg { wanted.ultraHDR = nil }
      let after = try StillImage(edited.bytes)
      var found = after.gainMapParameters
      found.maker = nil
      #expect(found.formats == wanted.formats)
      #expect(found.apple == wanted.apple)
      #expect(found.iso.map { abs($0.alternateHeadroomStops - 1.5) < 1e-6 } ?? (wanted.iso == nil))
      #expect(distance(try after.gainMapImage(), map) <= 3)
      if jpeg {
        let image = try #require(JPEGSegments(try FileBytes(edited.bytes)))
        #expect((image.gainMapRecord != nil) == (wanted.iso != nil))
      } else {
        let document = try HEIFDocument(FileBytes(edited.bytes))
        #expect(document.hasBrand("tmap") == (wanted.iso != nil))
        #expect(document.toneMaps.count == (wanted.iso == nil ? 0 : 1))
        #expect(document.auxiliaryMaps.count == (wanted.apple == nil ? 0 : 1))
      }
      let bare = try GainMapEditor(edited.bytes).removingHDR().bytes
      #expect(try StillImage(bare).gainMap == nil)
    }
  }

  /// An AVIF says what its map means in ISO's form; the others are left out.
  @Test func avifsTakeAllForms() throws {
    let source = try HEIFWriter(
      .init(.avif, .displayP3, bits: 8, quality: 0.9), workers: 1
    ).encode(WrittenScene.picture())
    let iso = try WrittenScene.iso(stops: 1.5)
    let edited = try GainMapEditor(source).replacingGainMap(
      .image(WrittenScene.map()),
      parameters: GainMapParameters(
        iso: iso, ultraHDR: HDRGMValues(iso), apple: AppleGainMap(headroom: 2.5)), workers: 1)
    let after = try StillImage(edited.bytes)
    #expect(after.kind == .avif && after.gainMapParameters.formats == [.iso])
  }

  /// Maps of many tiles, of three channels, in plain files of both kinds.
  @Test(arguments: [true, false], [1, 3]) func plainPicturesGetMaps(jpeg: Bool, channels: Int)
    throws
  {
    let source: [UInt8]
    if jpeg {
      let both = try written(jpeg: true)
      source = try GainMapEditor(both).removingHDR().bytes
    } else {
      source = try HEIFWriter(.init(.heif, .displayP3), workers: 1).encode(WrittenScene.picture())
    }
    let editor = try GainMapEditor(source)
    let map = try WrittenScene.map(
      PixelSize(width: 1536, height: 1024), channels: channels, seed: 2)
    let iso = try WrittenScene.iso(channels: channels)
    let edited = try editor.replacingGainMap(
      .image(map), parameters: GainMapParameters(iso: iso, ultraHDR: jpeg ? HDRGMValues(iso) : nil),
      quality: 1, workers: 2)
    #expect(edited.notes.count == 1, "it is not half the picture's size")
    let after = try StillImage(edited.bytes)
    #expect(after.gainMap?.size == map.size && after.gainMap?.channels == channels)
    #expect(distance(try after.gainMapImage(), map) <= 8)
    #expect(after.gainMap?.formula == .iso(iso))
    // Smaller ones replace large ones.
    let small = try GainMapEditor(edited.bytes).replacingGainMap(
      .image(try WrittenScene.map(channels: channels)), workers: 1)
    #expect(small.bytes.count < edited.bytes.count)
    let bare = try GainMapEditor(small.bytes).removingHDR().bytes
    #expect(bare.count <= source.count + 64)
    #expect(
      try WrittenScene.pixels(try StillImage(bare).base())
        == WrittenScene.pixels(try editor.image.base()))
  }

  /// Without entries for the maker's numbers, the headroom that they encode is declared.
  @Test(arguments: [true, false]) func makerNumbersBecomeAHeadroom(jpeg: Bool) throws {
    let bare = try GainMapEditor(GainMapEditor(written(jpeg: jpeg, [.iso])).removingHDR().bytes)
    let maker = AppleGainMap.MakerValues(headroom33: 1, gain48: 0.02)
    let edited = try bare.replacingGainMap(
      .image(WrittenScene.map()),
      parameters: GainMapParameters(apple: AppleGainMap(version: 65_536), maker: maker), workers: 1)
    #expect(edited.notes == [GainMapEditor.noMakerNote])
    let after = try StillImage(edited.bytes)
    #expect(abs(after.contentHeadroom - 4.91414) < 1e-4 && after.makerApple == nil)
  }

  @Test func misfitsAreRefused() throws {
    let editor = try GainMapEditor(written(jpeg: false))
    func code(_ map: GainMapImage, _ parameters: GainMapParameters? = nil) -> ReadError.Code? {
      do {
        _ = try editor.replacingGainMap(.image(map), parameters: parameters, workers: 1)
        return nil
      } catch { return (error as? ReadError)?.code }
    }
    #expect(code(try WrittenScene.map(PixelSize(width: 64, height: 96))) == .badSetting)
    #expect(code(try WrittenScene.map(channels: 3)) == .badSetting)
    #expect(
      code(try WrittenScene.map(), GainMapParameters(iso: try WrittenScene.iso(channels: 3)))
        == .badSetting)
    let down = try GainMapMetadata(
      channels: [.init(maximumStops: 2)], baseHeadroomStops: 2, alternateHeadroomStops: 0)
    #expect(code(try WrittenScene.map(), GainMapParameters(iso: down)) == .badSetting)
    #expect(
      code(try WrittenScene.map(), GainMapParameters(apple: AppleGainMap(version: 65_536))) == nil,
      "the maker note says how bright it is")
    #expect(
      code(
        try WrittenScene.map(),
        GainMapParameters(ultraHDR: HDRGMValues(gainMapMax: [2], hdrCapacityMax: 2)))
        == .badSetting)
  }

  @Test(arguments: SharedGainMaps.heics + SharedGainMaps.jpegs + [SharedGainMaps.avif])
  func sharedFilesTakeOtherMaps(name: String) throws {
    let bytes = try SharedFiles.bytes("hdr/" + name)
    let editor = try GainMapEditor(bytes)
    let auxiliary = try #require(try editor.image.auxiliaryGainMap())
    let old = try auxiliary.image()
    let flat = try GainMapImage(
      size: old.size, channels: old.channels,
      bytes: [UInt8](repeating: 100, count: old.codes.count))
    let edited = try editor.replacingGainMap(.image(flat), workers: 2)
    let after = try StillImage(edited.bytes)
    #expect(after.gainMapParameters == editor.image.gainMapParameters)
    #expect(after.gainMap?.size == editor.image.gainMap?.size)
    #expect(try after.gainMapImage().codes.allSatisfy { abs(Int($0) - 100) <= 2 })
    #expect(after.metadata.entries == editor.image.metadata.entries)
    // The old one goes back in as it was, coded or by its samples.
    if let coded = try editor.codedGainMap() {
      let back = try GainMapEditor(edited.bytes).replacingGainMap(.jpeg(coded), workers: 1)
      #expect(try GainMapEditor(back.bytes).codedGainMap() == coded)
      #expect(back.bytes.count == bytes.count)
    }
    // A bitmap whose rows are padded, edited and put back.
    let bitmap = [UInt8](
      repeating: 50, count: (auxiliary.description.bytesPerRow + 8) * old.size.height)
    let changed = try auxiliary.replacing(
      bitmap: bitmap, bytesPerRow: auxiliary.description.bytesPerRow + 8)
    #expect(try changed.image().codes.allSatisfy { $0 == 50 })
    #expect(auxiliary.description.bytesPerRow % 4 == 0)
  }
}
