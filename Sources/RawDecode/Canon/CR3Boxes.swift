import Containers

/// The boxes of a Canon CR3 file (ISO base media, ISO/IEC 14496-12): whether they are all there,
/// and the Exif blocks in Canon's own box (CMT1 IFD 0, CMT2 Exif, CMT4 GPS, each a TIFF structure).
struct CR3Boxes {
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// Whether every top-level box ends within the file.
  let isComplete: Bool
  /// Start of the contents of Canon's metadata boxes by name.
  let blocks: [String: Int]

  init(_ file: FileBytes) {
    var blocks: [String: Int] = [:]
    func walk(_ range: Range<Int>, _ visit: (_ name: String, _ content: Range<Int>) -> Void) -> Bool
    {
      var position = range.lowerBound
      while position + 8 <= range.upperBound {
        guard let box = file.box(at: position, within: range) else { return false }
        visit(box.type, box.content)
        position = box.range.upperBound
      }
      return position == range.upperBound
    }
    isComplete = walk(0..<file.count) { name, content in
      guard name == "moov" else { return }
      _ = walk(content) { name, content in
        guard name == "uuid", content.count >= 16, file.bytes(content.lowerBound, 16) == Self.canon
        else { return }
        _ = walk(content.lowerBound + 16..<content.upperBound) { blocks[$0] = $1.lowerBound }
      }
    }
    self.blocks = blocks
  }
}
