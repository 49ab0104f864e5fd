import Containers
import Testing

@testable import RawDecode

@Suite struct CR3BoxesTests {
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// A file whose movie box holds boxes `uuid` of these contents.
  private func boxes(_ contents: [[UInt8]], cut: Int = 0) throws -> CR3Boxes {
    let inner = contents.flatMap { ISOBox.bytes("uuid", $0) }
    let file = ISOBox.bytes("ftyp", Array("crx ".utf8)) + ISOBox.bytes("moov", inner)
    return CR3Boxes(try FileBytes(Array(file.dropLast(cut))))
  }

  @Test func metadataIsFoundInCanonsBox() throws {
    let boxes = try boxes([[1, 2, 3], Self.canon + ISOBox.bytes("CMT1", [7])])
    #expect(boxes.isComplete)
    // Headers: ftyp with 4 bytes, moov, uuid with 3 bytes, uuid with its name, CMT1.
    let start = 12 + 8 + 11 + 8 + 16 + 8
    #expect(boxes.blocks == ["CMT1": start..<start + 1])
  }

  /// A box that ends before the 16 bytes of its name, though those that follow would complete it.
  @Test func shortNamesAreNone() throws {
    for count in 0..<16 {
      let boxes = try boxes([Array(Self.canon.prefix(count)), Array(Self.canon.dropFirst(count))])
      #expect(boxes.isComplete && boxes.blocks.isEmpty, "\(count)")
    }
  }

  @Test func cutFilesAreIncomplete() throws {
    for cut in 1..<20 { #expect(try !boxes([Self.canon], cut: cut).isComplete, "\(cut)") }
  }
}
