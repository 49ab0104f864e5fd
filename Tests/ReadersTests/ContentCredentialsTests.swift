import CTIFF
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Containers
@testable import Readers

/// Manifests in each kind of file: said, and no harm to the picture. Other boxes are none.
@Suite struct ContentCredentialsTests {
  /// A box of JUMBF whose description has this type.
  private func manifest(_ type: String = "c2pa") -> [UInt8] {
    let uuid = Array(type.utf8) + [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let description = TestHEIF.box("jumd", uuid + [3] + Array("c2pa\0".utf8))
    return TestHEIF.box("jumb", description + TestHEIF.box("free", [1, 2, 3]))
  }

  private func check(_ file: [UInt8], _ without: [UInt8], _ other: [UInt8]? = nil) throws {
    let still = try StillImage(file)
    #expect(still.notes == [ContentCredentials.note])
    let plain = try StillImage(without)
    #expect(plain.notes == [])
    #expect(try KnownPicture.pixels(still.base()) == KnownPicture.pixels(plain.base()))
    if let other { #expect(try StillImage(other).notes == []) }
  }

  @Test func jpeg() throws {
    let jpeg = try TestJPEG.ramps(16, 16)
    func file(_ type: String) -> [UInt8] {
      let head = Array("JP".utf8) + [0, 1, 0, 0, 0, 1]
      return TestJPEG.with([TestJPEG.segment(0xEB, head + manifest(type))], jpeg)
    }
    try check(file("c2pa"), jpeg, file("c2pb"))
  }

  @Test func png() throws {
    var png = TestPNG()
    let plain = png.bytes
    png.behind = [TestPNG.chunk("caBX", manifest())]
    try check(png.bytes, plain)
  }

  @Test func tiff() throws {
    var fields: [UInt16: Int] = [256: 2, 257: 1, 258: 8, 259: 1, 262: 1, 277: 1, 278: 1]
    func file() -> [UInt8] {
      var writer = TIFFStructure()
      writer.header(first: 8)
      var all = fields
      (all[273], all[279]) = (8 + 2 + 12 * (fields.count + 2) + 4, 2)
      writer.directory(
        all.keys.sorted().map { tag in
          (
            tag, UInt16(4), 1,
            (0..<4).map { UInt8(truncatingIfNeeded: (all[tag] ?? 0) >> (8 * $0)) }
          )
        }, next: 0)
      return writer.bytes + [10, 200]
    }
    let plain = file()
    fields[52545] = 0
    try check(file(), plain)
  }

  @Test func heif() throws {
    let heif = TestHEIF.plain(try .init(PixelSize(width: 64, height: 48))).bytes()
    let uuid: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4,
      0x81,
    ]
    let content = uuid + [0, 0, 0, 0] + Array("manifest\0".utf8) + manifest()
    let box = TestHEIF.box("uuid", content)
    let other = TestHEIF.box("uuid", content.reversed())
    try check(heif + box, heif, heif + other)
  }

  @Test func jpegXL() throws {
    func file(_ boxes: [[UInt8]]) throws -> [UInt8] {
      try #require(TestJXL(boxes: boxes.map { ("jumb", Array($0.dropFirst(8)), false) }).bytes())
    }
    try check(try file([manifest()]), try file([]), try file([manifest("exif")]))
  }
}
