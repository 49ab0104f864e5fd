import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct RAWContentsTests {
  @Test func storageAndVersionsAreNamed() throws {
    let contents = try AuxiliaryDNG().filter().contents
    let storage = try #require(contents.storage)
    #expect(storage.compression == "uncompressed" && storage.compressionCode == 1)
    #expect(storage.bitsPerSample == 16 && storage.samplesPerPixel == 3 && !storage.isFloat)
    #expect(storage.width == 40 && storage.height == 24 && !storage.isTiled)
    #expect(storage.tileWidth == 40 && storage.tileHeight == 24 && storage.tileCount == 1)
    #expect(contents.dngVersion == "1.4.0.0")
    #expect(contents.opcodes == [[], [], []] && contents.gainTableMap == nil)
  }

  @Test func opcodesAreNamedInTheirLists() throws {
    // Optional, unknown, without data.
    let unknown: [UInt8] = [0, 0, 0, 77, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    var dng = AuxiliaryDNG()
    dng.fields[51022] = .undefined([0, 0, 0, 2] + unknown + unknown)
    let filter = try dng.filter()
    #expect(filter.contents.opcodes == [[], [], ["opcode 77", "opcode 77"]])
    #expect(filter.warnings.contains { $0.contains("opcode 77") })
  }

  @Test func profilesAreNamed() throws {
    let path = try SharedFiles.path("dng/14_hdr_sdr_profiles.dng")
    let contents = RAWContents(try RawFile.open(path: path))
    #expect(contents.profiles.map(\.name) == ["SDR", "HDR Linear", "HDR Tone Map", "HDR Tint"])
    #expect(contents.profiles.map(\.isHighRange) == [false, true, true, true])
    #expect(contents.profiles.last?.rgbTables == 1)
    #expect(contents.gainTableMap?.version == 2)
  }

  @Test func proRAWIsNamed() throws {
    let path = try SharedFiles.path("raws/proraw_iphone12pro_header_only.dng")
    let contents = RAWContents(try RawFile.open(path: path))
    #expect(
      contents.gainTableMap
        == RAWContents.GainTableMap(version: 1, rows: 6, columns: 8, points: 257))
    #expect(contents.storage?.compression == "lossless JPEG")
    #expect(contents.storage?.tileCount == 64 && contents.storage?.tileWidth == 504)
    #expect(contents.profiles.map(\.name) == ["Apple Embedded Color Profile"])
  }
}
