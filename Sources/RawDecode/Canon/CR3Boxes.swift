import Containers
import ImageCore

/// The boxes of a Canon CR3 file (ISO base media, ISO/IEC 14496-12): completeness, the Exif blocks
/// in Canon's own box (CMT1 IFD 0, CMT2 Exif, CMT3 the maker note, CMT4 GPS, each a TIFF
/// structure), the pictures of the tracks, and the positions of JPEGs. Canon's preview box starts
/// with 12 bytes of sizes and the length of its JPEG.
struct CR3Boxes {
  /// A picture in Canon's codec.
  struct Picture {
    /// Version of the codec.
    let version: UInt16
    /// Offset of the contents of its CMP1 box.
    let coding: Int
    /// Offset of its first sample (ISO/IEC 14496-12 8.7.5), if declared.
    let sample: Int?
  }

  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  private static let preview: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
  /// Whether every top-level box ends within the file.
  let isComplete: Bool
  /// Whether a metadata box is longer than its parent.
  let hasOverrun: Bool
  /// Contents of Canon's metadata boxes by name.
  let blocks: [String: Range<Int>]
  /// The Canon pictures of all tracks.
  let pictures: [Picture]
  /// Declared ranges of JPEGs: the first samples of tracks without a Canon picture, and the preview
  /// in its own box.
  let jpegs: [Range<Int>]

  /// Throws if the number or depth of boxes exceeds the limits.
  init(_ file: FileBytes) throws(FormatError) {
    typealias Visit = (_ name: String, _ content: Range<Int>) throws(FormatError) -> Void
    var blocks: [String: Range<Int>] = [:]
    var pictures: [Picture] = []
    var jpegs: [Range<Int>] = []
    var boxes = file.itemCount(of: "boxes")
    var hasOverrun = false
    func walk(_ range: Range<Int>, _ visit: Visit) throws(FormatError) -> Bool {
      var position = range.lowerBound
      while position + 8 <= range.upperBound {
        guard let box = file.box(at: position, within: range) else {
          // A truncated copy ends within its pixels.
          if !file.matches("mdat", at: position + 4) { hasOverrun = true }
          return false
        }
        try boxes.add()
        try visit(box.type, box.content)
        position = box.range.upperBound
      }
      return position == range.upperBound
    }
    /// Descends to the sample description of a track, whose boxes are at `depth`: offsets of its
    /// coding and first sample, and the size of that sample.
    func track(
      _ range: Range<Int>, _ depth: Int, _ found: inout (coding: Int?, sample: Int?, bytes: Int?)
    ) throws(FormatError) {
      _ = try walk(range) { (name, content) throws(FormatError) in
        guard depth <= file.limits.maxNesting else { throw file.tooDeep("boxes") }
        switch name {
        case "mdia", "minf", "stbl": try track(content, depth + 1, &found)
        case "stsd":
          let bytes = file.bytes(content.lowerBound, min(content.count, 1024)) ?? []
          guard let at = bytes.firstRange(of: Array("CMP1".utf8))?.upperBound else { return }
          found.coding = content.lowerBound + at
        case "stsz" where content.count >= 12:
          // The common size of all samples, or 0 and a table of sizes (ISO/IEC 14496-12 8.7.3).
          let sizes = [4, 12].compactMap {
            file.integer(UInt32.self, at: content.lowerBound + $0, bigEndian: true)
          }
          found.bytes = sizes.first { $0 > 0 }.map { Int($0) }
        case "co64" where content.count >= 16:
          found.sample = file.integer(UInt64.self, at: content.lowerBound + 8, bigEndian: true)
            .flatMap { Int(exactly: $0) }
        default: break
        }
      }
    }
    isComplete = try walk(0..<file.count) { (name, content) throws(FormatError) in
      if name == "uuid", content.count >= 24, file.bytes(content.lowerBound, 16) == Self.preview,
        let box = file.box(at: content.lowerBound + 24, within: content), box.type == "PRVW",
        let bytes = file.integer(UInt32.self, at: box.content.lowerBound + 12, bigEndian: true)
      {
        let start = box.content.lowerBound + 16
        jpegs.append(start..<start + Int(bytes))
      }
      guard name == "moov" else { return }
      _ = try walk(content) { (name, content) throws(FormatError) in
        if name == "trak" {
          var found: (coding: Int?, sample: Int?, bytes: Int?)
          try track(content, 3, &found)
          if found.coding == nil, let sample = found.sample, let bytes = found.bytes {
            let (end, overflow) = sample.addingReportingOverflow(bytes)
            if !overflow { jpegs.append(sample..<end) }
          }
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
    self.jpegs = jpegs
  }
}
