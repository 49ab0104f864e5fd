import ImageCore
import Testing

@testable import SyntheticRaw

@Suite("DNG writer")
struct DNGWriterTests {
  /// The first directory of a file: type, count and the offset of the value.
  static func directory(_ bytes: [UInt8], at offset: Int? = nil) -> [UInt16: (Int, Int, Int)] {
    let start = offset ?? number(bytes, 4, 4)
    var fields: [UInt16: (Int, Int, Int)] = [:]
    let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 11: 4, 12: 8]
    var last = -1
    for i in 0..<number(bytes, start, 2) {
      let at = start + 2 + 12 * i
      let tag = number(bytes, at, 2)
      #expect(tag > last, "tags ascend")
      last = tag
      let (type, count) = (number(bytes, at + 2, 2), number(bytes, at + 4, 4))
      let length = (sizes[type] ?? 0) * count
      let place = length <= 4 ? at + 8 : number(bytes, at + 8, 4)
      #expect(length > 0 && place + length <= bytes.count && place % 2 == 0)
      fields[UInt16(tag)] = (type, count, place)
    }
    return fields
  }

  static func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int {
    let part = Array(bytes[at..<(at + size)])
    return (bytes[0] == 0x49 ? part.reversed() : part).reduce(0) { $0 << 8 | Int($1) }
  }

  static func ramp(_ layout: DNGWriter.Layout, bits: Int = 16) -> DNGWriter {
    let count = 32 * 24 * (layout == .linear ? 3 : 1)
    var file = DNGWriter(
      size: PixelSize(width: 32, height: 24), layout: layout,
      samples: (0..<count).map { UInt16($0 * 37 % (1 << bits)) })
    file.bitsPerSample = bits
    file.white = [UInt32((1 << bits) - 1)]
    file.metadata = SunsetFixture.metadata(uniqueModel: "Test")
    return file
  }

  @Test("stores samples as they are", arguments: ByteOrder.allCases)
  func plain(order: ByteOrder) throws {
    var file = Self.ramp(.mosaic(.bayer(.grbg)))
    file.byteOrder = order
    let bytes = try file.bytes
    let fields = Self.directory(bytes)
    let data = Self.number(bytes, try #require(fields[273]).2, 4)
    for (i, sample) in file.samples.enumerated() {
      #expect(Self.number(bytes, data + 2 * i, 2) == Int(sample))
    }
    let exif = Self.directory(bytes, at: Self.number(bytes, try #require(fields[34665]).2, 4))
    #expect(exif[0x829A] != nil && exif[0x9000] != nil)
    let gps = Self.directory(bytes, at: Self.number(bytes, try #require(fields[34853]).2, 4))
    #expect(gps[2]?.1 == 3)
  }

  @Test("packs 12 bits with the most significant first in both byte orders")
  func packed() throws {
    var file = Self.ramp(.monochrome, bits: 12)
    file.samples = (0..<(32 * 24)).map { $0 % 2 == 0 ? 0xABC : 0x123 }
    for order in ByteOrder.allCases {
      file.byteOrder = order
      let bytes = try file.bytes
      let data = Self.number(bytes, try #require(Self.directory(bytes)[273]).2, 4)
      #expect(Array(bytes[data..<(data + 3)]) == [0xAB, 0xC1, 0x23])
      #expect(bytes.count - data == 32 * 24 * 3 / 2)
    }
  }

  @Test(
    "compresses without loss",
    arguments: [DNGWriter.Layout.mosaic(.bayer(.rggb)), .mosaic(.xTrans()), .linear, .monochrome])
  func lossless(layout: DNGWriter.Layout) throws {
    var file = Self.ramp(layout, bits: 14)
    file.compression = .losslessJPEG
    let bytes = try file.bytes
    let fields = Self.directory(bytes)
    let start = Self.number(bytes, try #require(fields[273]).2, 4)
    let length = Self.number(bytes, try #require(fields[279]).2, 4)
    let back = try LosslessJPEGTests.decode(Array(bytes[start..<(start + length)]))
    #expect(back.samples == file.samples)
  }

  @Test("cuts tiles that stick out of the picture")
  func tiles() throws {
    var file = Self.ramp(.linear)
    file.tile = PixelSize(width: 20, height: 16)
    let bytes = try file.bytes
    let place = try #require(Self.directory(bytes)[324])
    #expect(place.1 == 4)
    for index in 0..<4 {
      let data = Self.number(bytes, place.2 + 4 * index, 4)
      let (left, top) = (index % 2 * 20, index / 2 * 16)
      for y in 0..<(min(16, 24 - top)) {
        for x in 0..<(min(20, 32 - left)) {
          for c in 0..<3 {
            #expect(
              Self.number(bytes, data + ((y * 20 + x) * 3 + c) * 2, 2)
                == Int(file.samples[((top + y) * 32 + left + x) * 3 + c]))
          }
        }
      }
    }
  }

  @Test("refuses what contradicts itself")
  func refuses() {
    let good = Self.ramp(.mosaic(.bayer(.rggb)))
    let breaks: [(inout DNGWriter) -> Void] = [
      { $0.samples.removeLast() },
      { $0.size = PixelSize(width: 0, height: 24) },
      { $0.bitsPerSample = 12 },
      { $0.bitsPerSample = 13 },
      { $0.activeArea = PixelRect(x: 1, y: 0, width: 32, height: 24) },
      { $0.defaultCrop = PixelRect(x: 0, y: 1, width: 32, height: 24) },
      { $0.tile = PixelSize(width: 0, height: 16) },
      { $0.black = DNGWriter.BlackPattern(width: 2, height: 2, levels: [Rational(1, 1)]) },
    ]
    for change in breaks {
      var file = good
      change(&file)
      #expect(throws: DNGWriter.Problem.self) { try file.bytes }
    }
  }
}
