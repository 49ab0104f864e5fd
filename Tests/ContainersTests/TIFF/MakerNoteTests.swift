import ImageCore
import Testing

@testable import Containers

@Suite struct MakerNoteTests {
  /// The note of a block of `make` that has `note` at byte 200.
  private func read(_ note: [UInt8], make: String) throws -> CaptureMetadata.MakerNote? {
    let writer = TIFFDirectoryWriter()
    let exif = writer.bytes(
      [TIFFField(AppleMakerNote.tag, undefined: note.count, at: 200, bigEndian: false)], at: 100)
    let image = writer.bytes(
      [TIFFField(0x010F, .ascii(make)), TIFFField(TIFFTag.exifDirectory, .longs([100]))], at: 8)
    var block = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + image
    block += [UInt8](repeating: 0, count: 100 - block.count) + exif
    block += [UInt8](repeating: 0, count: 200 - block.count) + note + [1, 2, 3, 4]
    return CaptureMetadata(try #require(try TIFFFile(FileBytes(block)))).makerNote
  }

  /// A directory of one entry whose value, eight bytes, is at `offset` of the block.
  private func directory(value offset: UInt8) -> [UInt8] {
    [1, 0, 1, 0, 4, 0, 2, 0, 0, 0, offset, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9]
  }

  @Test func notesThatCountFromThemselves() throws {
    for name in [
      "Nikon\0\u{2}", "FUJIFILM", "OLYMPUS\0", "OM SYSTEM\0", "PENTAX \0", "Apple iOS\0",
    ] {
      let note = try #require(try read(Array(name.utf8) + [1, 2, 3, 4], make: "Any"))
      #expect(note.placement == .anywhere && note.bytes.count == name.utf8.count + 4)
    }
  }

  @Test func notesThatCountFromTheBlock() throws {
    let complete = directory(value: 218)
    #expect(try read(complete, make: "Canon")?.placement == .at(200, bigEndian: false))
    let sony = Array("SONY DSC \0\0\0".utf8) + directory(value: 230)
    #expect(try read(sony, make: "SONY")?.placement == .at(200, bigEndian: false))
    // Values outside the note, and makers of whom nothing is known.
    #expect(try read(directory(value: 219), make: "Canon")?.placement == .nowhere)
    #expect(try read(directory(value: 8), make: "Canon")?.placement == .nowhere)
    #expect(try read(complete, make: "Acme")?.placement == .nowhere)
    #expect(try read(complete, make: "Canon\u{301}\u{323}\u{301}")?.placement == .nowhere)
    #expect(try read([1, 2], make: "Canon") == nil)
  }

  /// The longest values are removed first; the others and the bytes after all of them stay, and the
  /// shorter note is complete.
  @Test(arguments: [true, false]) func shortened(bigEndian: Bool) throws {
    let fields = [
      TIFFField(1, .undefined([UInt8](repeating: 1, count: 9)), bigEndian: bigEndian),
      TIFFField(2, .undefined([UInt8](repeating: 2, count: 5000)), bigEndian: bigEndian),
      TIFFField(3, .shorts([3]), bigEndian: bigEndian),
      TIFFField(4, .undefined([UInt8](repeating: 4, count: 300)), bigEndian: bigEndian),
    ]
    let tail: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    let writer = TIFFDirectoryWriter(bigEndian: bigEndian)
    let complete = CaptureMetadata.MakerNote(
      bytes: writer.bytes(fields, at: 100) + tail,
      placement: .at(100, bigEndian: bigEndian))
    func shorter(_ indices: [Int]) -> CaptureMetadata.MakerNote {
      CaptureMetadata.MakerNote(
        bytes: writer.bytes(indices.map { fields[$0] }, at: 100) + tail,
        placement: complete.placement)
    }
    #expect(complete.shortened(to: complete.bytes.count) == complete)
    #expect(complete.shortened(to: complete.bytes.count - 1) == shorter([0, 2, 3]))
    #expect(complete.shortened(to: 400) == shorter([0, 2, 3]))
    #expect(complete.shortened(to: 300) == shorter([0, 2]))
    #expect(complete.shortened(to: 26) == shorter([2]))
    #expect(complete.shortened(to: 25) == nil && complete.shortened(to: -1) == nil)
    var movable = complete
    movable.placement = .anywhere
    #expect(movable.shortened(to: 400) == nil)
    // Damaged: cut anywhere.
    for count in 0..<150 {
      let cut = CaptureMetadata.MakerNote(
        bytes: Array(complete.bytes.prefix(count)), placement: complete.placement)
      #expect(cut.shortened(to: 100) == nil)
    }
  }

  /// Values of two lengths that start at one offset are preserved, in the order of their ends.
  @Test func shortenedOverlaps() {
    func note(_ offsets: (UInt8, UInt8), _ values: [UInt8]) -> CaptureMetadata.MakerNote {
      let directory: [UInt8] = [
        2, 0, 1, 0, 7, 0, 9, 0, 0, 0, offsets.0, 0, 0, 0, 2, 0, 7, 0, 6, 0, 0, 0, offsets.1, 0, 0,
        0, 0, 0, 0, 0,
      ]
      return CaptureMetadata.MakerNote(
        bytes: directory + values, placement: .at(100, bigEndian: false))
    }
    let complete = note((130, 130), [1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    let apart = note((136, 130), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    #expect(complete.shortened(to: 46) == apart)
  }

  /// A note that is a TIFF structure of its own, after 12 other bytes.
  @Test func notesThatAreStructures() throws {
    func note(_ body: [UInt8], at first: UInt8 = 8) throws -> CaptureMetadata.MakerNote? {
      let block = Array("II".utf8) + [42, 0, first, 0, 0, 0] + body
      let file = try FileBytes([UInt8](repeating: 7, count: 12) + block + [1, 2])
      return CaptureMetadata.MakerNote(structure: 12..<12 + block.count, of: file)
    }
    let complete = directory(value: 26)
    #expect(
      try note(complete)
        == CaptureMetadata.MakerNote(bytes: complete, placement: .at(8, bigEndian: false)))
    // A value that ends after the note or before it, a directory elsewhere, nothing.
    #expect(try note(directory(value: 27)) == nil)
    #expect(try note(directory(value: 7)) == nil)
    #expect(try note(complete, at: 9) == nil)
    #expect(try note([]) == nil)
  }

  /// Omitted notes are named; valid and empty ones are not.
  @Test func refusals() throws {
    let fields = [
      TIFFField(1, .undefined([UInt8](repeating: 0, count: 4))),
      TIFFField(2, .undefined([0, 0, 1])), TIFFField(3, .undefined([0, 0, 0, 0, 0])),
      TIFFField(4, .undefined([UInt8](repeating: 0, count: 4 << 20))),
      TIFFField(5, .undefined([UInt8](repeating: 0, count: (4 << 20) + 1))),
      TIFFField(6, .ascii("a note")),
    ]
    let block = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + TIFFDirectoryWriter().bytes(fields, at: 8)
    let directory = try #require(try TIFFFile(FileBytes(block))).first
    for (tag, isRefused) in [false, true, false, false, true, true].enumerated() {
      let entry = try #require(directory[UInt16(tag + 1)])
      #expect((CaptureMetadata.MakerNote.refusal(of: entry) != nil) == isRefused, "\(tag + 1)")
    }
  }
}
