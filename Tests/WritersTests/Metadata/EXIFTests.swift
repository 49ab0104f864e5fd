import Containers
import Foundation
import ImageCore
import Testing

@testable import Writers

struct EXIFTests {
  private let capture = CaptureMetadata(entries: [
    ExifEntry(.image, 0x010F, .ascii("Acme")),
    ExifEntry(.image, 0x0112, .shorts([6])),
    ExifEntry(.image, 0x8298, .ascii("Zoë")),
    ExifEntry(.exif, 0x829A, .rationals([Rational(1, 250)])),
    ExifEntry(.exif, 0x9003, .ascii("2024:05:06 07:08:09")),
    ExifEntry(.exif, 0x9204, .signedRationals([SignedRational(-1, 3)])),
    ExifEntry(.exif, 0x9286, .undefined([UInt8](repeating: 7, count: 40_000))),
    ExifEntry(.gps, 0x0000, .bytes([2, 3, 0, 0])),
    ExifEntry(.gps, 0x0002, .rationals([Rational(48, 1), Rational(8, 1), Rational(30, 1)])),
  ])

  /// The raw values of a directory at `offset`: type, count, bytes.
  private func directory(_ block: [UInt8], at offset: Int) throws -> [UInt16: (Int, Int, [UInt8])] {
    func number(_ at: Int, _ count: Int) -> Int {
      block[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var out: [UInt16: (Int, Int, [UInt8])] = [:]
    for index in 0..<number(offset, 2) {
      let at = offset + 2 + 12 * index
      let (type, count) = (number(at + 2, 2), number(at + 4, 4))
      let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8]
      let bytes = count * sizes[type]
      let start = bytes <= 4 ? at + 8 : number(at + 8, 4)
      try #require(start + bytes <= block.count)
      out[UInt16(number(at, 2))] = (type, count, Array(block[start..<start + bytes]))
    }
    return out
  }

  @Test("Entries keep their types, and the written file's replace the raw's")
  func exif() throws {
    let block = EXIF.block(capture, size: PixelSize(width: 6000, height: 4000)).bytes
    #expect(Array(block.prefix(4)) == [0x49, 0x49, 0x2A, 0])
    let image = try directory(block, at: 8)
    #expect(image[0x010F]?.2 == Array("Acme".utf8) + [0])
    #expect(image[0x0112]?.2 == [1, 0])
    #expect(image[0x0131]?.2 == Array(RawdevVersion.software.utf8) + [0])
    #expect(image[0x8298]?.2 == Array("Zoë".utf8) + [0])
    func offset(_ tag: UInt16) throws -> Int {
      try #require(image[tag]).2.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let exif = try directory(block, at: try offset(0x8769))
    #expect(exif[0x829A]?.0 == 5)
    #expect(exif[0x829A]?.2 == [1, 0, 0, 0, 250, 0, 0, 0])
    #expect(exif[0x9204]?.0 == 10)
    #expect(exif[0x9204]?.2 == [255, 255, 255, 255, 3, 0, 0, 0])
    #expect(exif[0x9286]?.1 == 40_000)
    #expect(exif[0xA001]?.2 == [255, 255])
    #expect(exif[0xA002]?.2 == [0x70, 0x17, 0, 0])
    let gps = try directory(block, at: try offset(0x8825))
    #expect(gps[0]?.2 == [2, 3, 0, 0])
    #expect(gps[2]?.1 == 3)
  }

  @Test("A table larger than a JPEG segment is retained")
  func largeTable() throws {
    var large = capture
    large[.exif, 0x9286] = .undefined([UInt8](repeating: 9, count: 200_000))
    let block = EXIF.block(large, size: PixelSize(width: 8, height: 8)).bytes
    #expect(block.count > 200_000)
  }

  // MARK: Maker notes

  private let size = PixelSize(width: 8, height: 8)

  /// The note in a block, and its offset.
  private func note(in block: [UInt8]) throws -> (bytes: [UInt8], offset: Int)? {
    let tiff = try #require(try Containers.TIFFFile(FileBytes(block)))
    #expect(tiff.first[0x010F]?.text == "Acme" && !tiff.pointsOutside)
    return tiff.directory(.exif)?[AppleMakerNote.tag].map { ($0.bytes, $0.offset) }
  }

  @Test(
    "A note whose offsets count from the block stands where it stood, in its byte order",
    arguments: [8, 900, 901], [true, false])
  func placedNotes(offset: Int, bigEndian: Bool) throws {
    var metadata = capture
    let bytes = (0..<333).map { UInt8(truncatingIfNeeded: $0 * 7) }
    metadata.makerNote = .init(bytes: bytes, placement: .at(offset, bigEndian: bigEndian))
    let block = EXIF.block(metadata, size: size)
    #expect(block.notes.isEmpty && block.bytes.starts(with: (bigEndian ? "MM" : "II").utf8))
    let found = try #require(try note(in: block.bytes))
    #expect(found.bytes == bytes && found.offset == offset)
    let read = CaptureMetadata(try #require(try Containers.TIFFFile(FileBytes(block.bytes))))
    #expect(read[.exif, 0x829A] == capture[.exif, 0x829A])
    #expect(read[.gps, 2] == capture[.gps, 2] && read[.image, 0x8298] == capture[.image, 0x8298])
  }

  @Test("Adobe RGB is DCF's optional color space", arguments: [8, 901], [true, false])
  func dcfOption(offset: Int, bigEndian: Bool) throws {
    var metadata = capture
    metadata.makerNote = .init(bytes: [1, 2, 3], placement: .at(offset, bigEndian: bigEndian))
    for isPlaced in [true, false] {
      if !isPlaced { metadata.makerNote = nil }
      for space in [EXIF.ColorSpace.adobeRGB, .sRGB, .uncalibrated] {
        let bytes = EXIF.block(metadata, size: size, in: space).bytes
        let file = try FileBytes(bytes)
        let tiff = try #require(try Containers.TIFFFile(file))
        let exif = try #require(tiff.directory(.exif))
        #expect(exif[0xA001]?.integer == (space == .sRGB ? 1 : 65_535))
        let isDCF = space == .adobeRGB
        #expect((exif[TIFFTag.interoperabilityDirectory] != nil) == isDCF)
        #expect(bytes.indices.contains { bytes[$0...].starts(with: "R03".utf8) } == isDCF)
        #expect(!tiff.pointsOutside)
      }
    }
  }

  @Test("A note that cannot be moved, or does not fit, is left out with a note")
  func notesLeftOut() throws {
    var metadata = capture
    metadata.makerNote = .init(bytes: Array("unknown".utf8), placement: .nowhere)
    var block = EXIF.block(metadata, size: size)
    #expect(try note(in: block.bytes) == nil)
    #expect(block.notes.count == 1)
    metadata[.exif, 0x9286] = nil
    metadata.makerNote = .init(bytes: [UInt8](repeating: 1, count: 70_000), placement: .anywhere)
    block = EXIF.jpegBlock(metadata, size: size, in: .sRGB)
    #expect(try note(in: block.bytes) == nil)
    #expect(block.notes.count == 1)
    #expect(try note(in: EXIF.block(metadata, size: size).bytes)?.bytes.count == 70_000)
    // Canon's: only the longest of its values.
    let fields = [
      TIFFField(1, .undefined([UInt8](repeating: 1, count: 70_000))),
      TIFFField(2, .undefined([UInt8](repeating: 2, count: 999))),
    ]
    metadata.makerNote = .init(
      bytes: TIFFDirectoryWriter().bytes(fields, at: 900), placement: .at(900, bigEndian: false))
    block = EXIF.jpegBlock(metadata, size: size, in: .sRGB)
    let retained = TIFFDirectoryWriter().bytes([fields[1]], at: 900)
    #expect(try note(in: block.bytes)?.bytes == retained && block.notes.count == 1)
  }

  @Test("Apple's note declares a gain map if there is one; another camera's is unchanged")
  func appleNotes() throws {
    var metadata = capture
    metadata.makerNote = .init(bytes: AppleMakerNote.bytes(headroom: 2), placement: .anywhere)
    let plain = try #require(try note(in: EXIF.block(metadata, size: size).bytes))
    #expect(AppleMakerNote(plain.bytes)?.number(33) == nil)
    let block = EXIF.block(metadata, size: size, appleHeadroom: 6)
    let mapped = try #require(try note(in: block.bytes))
    #expect(mapped.bytes == AppleMakerNote.bytes(headroom: 6) && block.notes.isEmpty)
    for placement in [CaptureMetadata.MakerNote.Placement.anywhere, .at(900, bigEndian: false)] {
      metadata.makerNote = .init(bytes: Array("FUJIFILM".utf8), placement: placement)
      let other = EXIF.block(metadata, size: size, appleHeadroom: 6)
      #expect(try note(in: other.bytes)?.bytes == Array("FUJIFILM".utf8))
      #expect(other.notes.isEmpty)
    }
    metadata.makerNote?.placement = .nowhere
    let without = EXIF.block(metadata, size: size, appleHeadroom: 6)
    #expect(try note(in: without.bytes)?.bytes == AppleMakerNote.bytes(headroom: 6))
    #expect(without.notes.count == 1)
  }
}
