import ImageCore
import SyntheticRaw
import Testing

@testable import RawFilter

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

  @Test func opcodesAreNamedUpToWhereTheListEnds() throws {
    func opcode(_ id: UInt8, _ length: UInt8) -> [UInt8] {
      [0, 0, 0, id, 1, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, length]
        + [UInt8](repeating: 0, count: Int(length))
    }
    var dng = AuxiliaryDNG()
    dng.fields[51022] = .undefined([0, 0, 0, 9] + opcode(1, 3) + opcode(14, 0) + opcode(77, 200))
    dng.fields[51008] = .undefined([0, 0, 0, 1])
    let opcodes = try dng.filter().contents.opcodes
    #expect(opcodes[0].isEmpty && opcodes[1].isEmpty)
    #expect(opcodes[2] == ["WarpRectilinear", "WarpRectilinear2", "opcode 77"])
  }

  @Test func sharedFilesAreNamed() throws {
    if let path = SharedFiles.path("dng/14_hdr_sdr_profiles.dng") {
      let contents = RAWContents(try RawFile.open(path: path))
      #expect(contents.profiles.map(\.name) == ["SDR", "HDR Linear", "HDR Tone Map", "HDR Tint"])
      #expect(contents.profiles.map(\.dynamicRange) == ["sdr", "hdr", "hdr", "hdr"])
      #expect(contents.profiles.last?.tables == ["ProfileToneCurve", "RGBTables"])
      #expect(contents.gainTableMap?.version == 2)
    }
    if let path = SharedFiles.path("raws/proraw_iphone12pro_header_only.dng") {
      let contents = RAWContents(try RawFile.open(path: path))
      #expect(
        contents.gainTableMap
          == RAWContents.GainTableMap(version: 1, rows: 6, columns: 8, points: 257))
      #expect(contents.storage?.compression == "lossless JPEG")
      #expect(contents.storage?.tileCount == 64 && contents.storage?.tileWidth == 504)
      #expect(contents.profiles.map(\.name) == ["Apple Embedded Color Profile"])
    }
  }
}
