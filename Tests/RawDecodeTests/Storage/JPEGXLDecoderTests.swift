import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct JPEGXLDecoderTests {
  let size = PixelSize(width: 16, height: 8)
  let codes = (0..<128).map { UInt32($0 * 8 + 3) }

  /// One tile of 10 bits with these tags.
  func decode(_ tags: [UInt16: [Int]], bits: Int = 10) throws -> [Float] {
    var file = StoredFile(size: size, bits: bits, compression: 52546, tags: tags)
    file.codes = codes
    return try RawFile.open(bytes: try file.bytes()).decode().allNumbers
  }

  /// libjxl's 16-bit number of each code.
  var full: [Float] { codes.map { Float((Int($0) * 65535 * 2 + 1023) / (2 * 1023)) } }

  @Test func codesOrFullScaleByTableAndWhite() throws {
    let table = (0..<1024).map { 65535 - 64 * $0 }
    let long = (0..<65536).map { 65535 - $0 }
    #expect(try decode([:]) == codes.map { Float($0) })
    #expect(try decode([50717: [1023]]) == codes.map { Float($0) })
    #expect(try decode([50717: [65535]]) == full)
    #expect(try decode([50712: table, 50717: [65535]]) == codes.map { Float(65535 - 64 * $0) })
    #expect(try decode([50712: long, 50717: [65535]]) == full.map { 65535 - $0 })
  }

  /// A table that is applied later still shows that the file counts in codes.
  @Test func theLinearizationTableMayBeAppliedLater() throws {
    let table = (0..<1024).map { 65535 - 64 * $0 }
    var file = StoredFile(
      size: size, bits: 10, compression: 52546, tags: [50712: table, 50717: [65535]])
    file.codes = codes
    let bytes = try FileBytes(try file.bytes())
    let tiff = try #require(try TIFFFile(bytes))
    let tags = try #require(try DNGTags(tiff, path: nil))
    var picture = StoredPicture(tags)
    picture.appliesTable = false
    let samples = try picture.decode(bytes)
    #expect((0..<16).map { samples.counts(row: 0)[$0] } == codes.prefix(16).map { UInt16($0) })
  }

  @Test func everyCodeOfEveryDepthIsRecovered() {
    for bits in 2...15 {
      let top = 1 << bits - 1
      let lookup = JPEGXLDecoder.lookup(bits: bits, table: [], applies: true, white: nil)
      for code in 0...top {
        let stored = (Double(code) * 65535 / Double(top)).rounded()
        #expect(Int(lookup[Int(stored)]) == code)
      }
    }
    #expect(JPEGXLDecoder.lookup(bits: 16, table: [], applies: true, white: nil).isEmpty)
  }

  func decodeStream(_ stream: [UInt8], bits: Int = 12, samples: Int = 1) throws -> [Float] {
    var file = StoredFile(
      size: size, samplesPerPixel: samples, bits: bits, compression: 52546, tile: size)
    file.codes = codes.flatMap { [UInt32](repeating: $0, count: samples) }
    return try RawFile.open(bytes: try file.bytes { $0 = [stream] }).decode().allNumbers
  }

  @Test func containersAndRotatedStreamsGiveTheSame() throws {
    for orientation in 1...8 {
      let stream = try StoredEncoder.jpegXL(
        codes, size, samples: 1, bits: 12, container: orientation % 2 == 0,
        orientation: UInt32(orientation))
      #expect(try decodeStream(stream) == codes.map { Float($0) }, "\(orientation)")
    }
  }

  /// Hidden frames may take as long as the tile and eight frames of a pixel; all are black.
  @Test func hiddenFramesCount() throws {
    func stream(_ name: String) throws -> [UInt8] {
      let path = HostileFile.path("jpeg-xl-tile/\(name)")
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let black = try decodeStream(try stream("reference.jxl"), bits: 8, samples: 3)
    #expect(black == [Float](repeating: 0, count: 3 * size.area))
    for name in ["references.jxl", "dots.jxl"] {
      let error = #expect(throws: RAWError.self, "\(name)") {
        try decodeStream(try stream(name), bits: 8, samples: 3)
      }
      #expect(error?.code == .damaged && error?.stage == .decode)
    }
  }

  /// Small tiles count as 128 × 128.
  @Test func smallTilesCount() throws {
    var file = StoredFile(
      size: size, bits: 10, compression: 52546, tile: PixelSize(width: 4, height: 4))
    file.codes = codes
    let bytes = try file.bytes()
    let maxPixels = 8 * 128 * 128
    let sound = try RawFile.open(bytes: bytes, limits: DecodeLimits(maxPixels: maxPixels)).decode()
    #expect(sound.allNumbers == codes.map { Float($0) })
    let error = #expect(throws: RAWError.self) {
      try RawFile.open(bytes: bytes, limits: DecodeLimits(maxPixels: maxPixels - 1)).decode()
    }
    #expect(error?.code == .tooLarge && error?.message.contains("raise the limit") == true)
  }

  @Test func otherShapesAreDamage() throws {
    let streams = [
      try StoredEncoder.jpegXL(codes, size, samples: 1, bits: 12, alpha: true),
      try StoredEncoder.jpegXL(
        Array(codes.prefix(126)), PixelSize(width: 14, height: 3), samples: 3, bits: 12),
      try StoredEncoder.jpegXL(
        Array(codes.prefix(120)), PixelSize(width: 15, height: 8), samples: 1, bits: 12),
      try StoredEncoder.jpegXL(
        codes + codes, PixelSize(width: 32, height: 8), samples: 1, bits: 12),
      try StoredEncoder.jpegXL(
        Array(codes.prefix(112)), PixelSize(width: 16, height: 7), samples: 1, bits: 12), [],
      [0xFF, 0x0A],
    ]
    for (index, stream) in streams.enumerated() {
      do {
        _ = try decodeStream(stream)
        Issue.record("stream \(index) was decoded")
      } catch let error as RAWError {
        #expect(error.code == .damaged && error.stage == .decode)
      }
    }
  }
}
