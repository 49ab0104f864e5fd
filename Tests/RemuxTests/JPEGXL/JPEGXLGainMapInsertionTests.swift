import Containers
import Foundation
import HDRRender
import ImageCore
import Readers
import TestSupport
import Testing
import Writers

@testable import Remux

/// Maps put into JPEG XL files, where they are stored without loss.
@Suite struct JPEGXLGainMapInsertionTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func written() throws -> [UInt8] {
    let file = try JPEGXLWriter(.init(.jpegXL, .displayP3), workers: 1)
      .write(WrittenScene.picture(), to: .replacing(folder.file("a.jxl")))
    return [UInt8](try Data(contentsOf: URL(filePath: file.name)))
  }

  @Test(arguments: [1, 3]) func mapsComeBackAndGoOut(channels: Int) throws {
    let source = try written()
    let editor = try GainMapEditor(source)
    let map = try WrittenScene.map(channels: channels)
    let iso = try WrittenScene.iso(stops: 1.5, channels: channels)
    let parameters = GainMapParameters(
      iso: iso, ultraHDR: HDRGMValues(iso), apple: channels == 1 ? AppleGainMap(headroom: 2) : nil)
    let edited = try editor.replacingGainMap(.image(map), parameters: parameters, workers: 1)
    let after = try StillImage(edited.bytes)
    #expect(after.gainMapParameters.formats == [.iso])
    #expect(after.gainMapParameters.iso?.channels.count == channels)
    #expect(try after.gainMapImage() == map)
    #expect(after.metadata == editor.image.metadata)
    // Another over it, with the parameters that are there; and without a map all is as it was.
    let other = try WrittenScene.map(channels: channels, seed: 1)
    let again = try GainMapEditor(edited.bytes).replacingGainMap(.image(other), workers: 1)
    #expect(try StillImage(again.bytes).gainMapImage() == other)
    #expect(try StillImage(again.bytes).gainMapParameters == after.gainMapParameters)
    #expect(try GainMapEditor(again.bytes).discardingGainMap().bytes == source)
  }

  @Test func formOfUltraHDRIsTurnedIntoISO() throws {
    let iso = try WrittenScene.iso(stops: 1.5)
    let edited = try GainMapEditor(written()).replacingGainMap(
      .image(WrittenScene.map()), parameters: GainMapParameters(ultraHDR: HDRGMValues(iso)),
      workers: 1)
    let found = try #require(try StillImage(edited.bytes).gainMapParameters.iso)
    #expect(abs(found.alternateHeadroomStops - 1.5) < 1e-6)
  }

  @Test func whatItCannotHoldIsRefused() throws {
    let editor = try GainMapEditor(written())
    for parameters in [nil, GainMapParameters(apple: AppleGainMap(headroom: 2))] {
      #expect(throws: ReadError.self) {
        try editor.replacingGainMap(
          .image(WrittenScene.map()), parameters: parameters, workers: 1)
      }
    }
  }
}
