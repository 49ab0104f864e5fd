import Containers
import ImageCore

/// The boxes of a Canon CR3 file (ISO base media, ISO/IEC 14496-12): whether they are all there,
/// the Exif blocks in Canon's own box (CMT1 IFD 0, CMT2 Exif, CMT3 the maker note, CMT4 GPS, each a
/// TIFF structure), and which pictures the tracks have.
struct CR3Boxes {
  /// A picture in Canon's codec.
  struct Picture {
    /// Version of the codec.
    let version: UInt16
    /// Where the contents of its CMP1 box begin.
    let coding: Int
    /// Where its first sample begins (ISO/IEC 14496-12 8.7.5), as far as the file says it.
    let sample: Int?
  }

  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// Whether every top-level box ends within the file.
  let isComplete: Bool
  /// Whether a box that describes the file is longer than what it lies in.
  let hasOverrun: Bool
  /// Contents of Canon's metadata boxes by name.
  let blocks: [String: Range<Int>]
  /// Those of all tracks.
  let pictures: [Picture]

  /// Throws where there are more boxes, or boxes within boxes, than the limits allow.
  init(_ file: FileBytes) throws(FormatError) {
    typealias Visit = (_ name: String, _ content: Range<Int>) throws(FormatError) -> Void
    var blocks: [String: Range<Int>] = [:]
    var pictures: [Picture] = []
    var boxes = file.itemCount(of: "boxes")
    var hasOverrun = false
    func walk(_ range: Range<Int>, _ visit: Visit) throws(FormatError) -> Bool {
      var position = range.lowerBound
      while position + 8 <= range.upperBound {
        guard let box = file.box(at: position, within: range) else {
          // A copy that was cut short ends in its pixels.
          if !file.matches("mdat", at: position + 4) { hasOverrun = true }
          return false
        }
        try boxes.add()
        try visit(box.type, box.content)
        position = box.range.upperBound
      }
      return position == range.upperBound
    }
    /// Descends to the description of a track's samples, whose boxes are at `depth`: where its
    /// coding and its first sample are.
    func track(
      _ range: Range<Int>, _ depth: Int, _ found: inout (coding: Int?, sample: Int?)
    ) throws(FormatError) {
      _ = try walk(range) { (name, content) throws(FormatError) in
        guard depth <= file.limits.maxNesting else { throw file.tooDeep("boxes") }
        switch name {
        case "mdia", "minf", "stbl": try track(content, depth + 1, &found)
        case "stsd":
          let bytes = file.bytes(content.lowerBound, min(content.count, 1024)) ?? []
          guard let at = bytes.firstRange(of: Array("CMP1".utf8))?.upperBound else { return }
          found.coding = content.lowerBound + at
        case "co64" where content.count >= 16:
          found.sample = file.integer(UInt64.self, at: content.lowerBound + 8, bigEndian: true)
            .flatMap { Int(exactly: $0) }
        default: break
        }
      }
    }
    isComplete = try walk(0..<file.count) { (name, content) throws(FormatError) in
      guard name == "moov" else { return }
      _ = try walk(content) { (name, content) throws(FormatError) in
        if name == "trak" {
          var found: (coding: Int?, sample: Int?)
          try track(content, 3, &found)
          if let coding = found.coding,
            let version = file.integer(UInt16.self, at: coding + 4, bigEndian: true)
          {
            pictures.append(Picture(version: version, coding: coding, sample: found.sample))
          }
        }
        guard name == "uuid", content.count >= 16, file.bytes(content.lowerBound, 16) == Self.canon
        else { return }
        _ = try walk(content.lowerBound + 16..<content.upperBound) {
          (name, content) throws(FormatError) in
          blocks[name] = content
        }
      }
    }
    self.blocks = blocks
    self.hasOverrun = hasOverrun
    self.pictures = pictures
  }
}
