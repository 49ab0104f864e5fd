import ImageCore

extension CaptureMetadata.MakerNote {
  /// Shorter and longer notes are left out.
  private static let sizes = 5...FormatLimits.makerNoteBytes

  /// Notes whose offsets count from their own start or from a TIFF header within them, by their
  /// first bytes: Nikon's type 3, Fujifilm, Olympus since 2007, OM System, Pentax since 2014,
  /// Apple.
  private static let movable: [[UInt8]] = [
    Array("Nikon\0\u{2}".utf8), Array("FUJIFILM".utf8), Array("OLYMPUS\0".utf8),
    Array("OM SYSTEM\0".utf8), Array("PENTAX \0".utf8), Array("Apple iOS\0".utf8),
  ]
  /// Where the directory begins in notes whose offsets count from the header of the Exif block, by
  /// their first bytes. Canon's note has no name of its own.
  static let fixed: [(name: [UInt8], directory: Int)] = [
    (Array("SONY ".utf8), 12), (Array("Panasonic\0\0\0".utf8), 12),
  ]

  /// Why the note in `entry` is left out, as the end of a sentence on it; nil for one that is not,
  /// and for an empty one.
  package static func refusal(of entry: TIFFEntry) -> String? {
    if entry.count < sizes.lowerBound, entry.bytes.allSatisfy({ $0 == 0 }) { return nil }
    if ![1, 7].contains(entry.type) { return "has an unexpected TIFF type" }
    if entry.count < sizes.lowerBound { return "is shorter than \(sizes.lowerBound) bytes" }
    return entry.count > sizes.upperBound ? "is longer than \(sizes.upperBound >> 20) MiB" : nil
  }

  /// The note in `entry`; nil for one that is empty or left out.
  ///
  /// Where offsets count from is not stated in notes. Source: the description of each maker's note
  /// in ExifTool's documentation. A note that is not known here stays where it is, and so does one
  /// with values outside itself.
  init?(_ entry: TIFFEntry, in tiff: TIFFFile) {
    guard entry.count >= Self.sizes.lowerBound, Self.refusal(of: entry) == nil else { return nil }
    let bytes = entry.bytes
    let offset = entry.offset - tiff.base
    let named = Self.fixed.first { bytes.starts(with: $0.name) }?.directory
    let directory = tiff.first[0x010F]?.text?.isSame(as: "Canon") == true ? 0 : named
    let stored = entry.offset..<entry.offset + entry.count
    let placement: Placement =
      if Self.movable.contains(where: { bytes.starts(with: $0) }) {
        .anywhere
      } else if (8...FormatLimits.makerNoteOffset).contains(offset),
        directory.map({ Self.isComplete(stored, tiff, $0) }) == true
      {
        .at(offset, bigEndian: tiff.bigEndian)
      } else {
        .nowhere
      }
    self.init(bytes: bytes, placement: placement)
  }

  /// The note that is a TIFF structure of its own, at `block` of `file`, as in Canon's CR3: all
  /// after its header, from which its offsets count. Nil if damaged or too long.
  package init?(structure block: Range<Int>, of file: FileBytes) {
    let header = 8
    guard (header + 5...FormatLimits.makerNoteBytes).contains(block.count),
      let tiff = try? TIFFFile(file, base: block.lowerBound),
      file.integer(UInt32.self, at: block.lowerBound + 4, bigEndian: tiff.bigEndian)
        .map({ Int($0) }) == header,
      case let stored = block.dropFirst(header), Self.isComplete(stored, tiff, 0),
      let bytes = file.bytes(stored.lowerBound, stored.count)
    else { return nil }
    self.init(bytes: bytes, placement: .at(header, bigEndian: tiff.bigEndian))
  }

  /// Whether all values of the directory that begins at `start` in the note at `all` lie within the
  /// note.
  private static func isComplete(_ all: Range<Int>, _ tiff: TIFFFile, _ start: Int) -> Bool {
    let first = all.lowerBound + start
    guard let entries = entries(at: first, of: tiff.file, bigEndian: tiff.bigEndian),
      !entries.isEmpty, first + 2 + 12 * entries.count <= all.upperBound
    else { return false }
    return entries.allSatisfy { entry in
      let start = tiff.base + entry.offset
      return entry.bytes <= 4 || start >= all.lowerBound && start + entry.bytes <= all.upperBound
    }
  }

  /// The entries of the directory at `first` of `file`: where each begins, the bytes of its values,
  /// and where they lie if they are more than four. Nil where the file ends before it does, and
  /// where a type is none.
  static func entries(
    at first: Int, of file: FileBytes, bigEndian: Bool
  ) -> [(position: Int, bytes: Int, offset: Int)]? {
    guard let count = file.integer(UInt16.self, at: first, bigEndian: bigEndian) else { return nil }
    var found: [(position: Int, bytes: Int, offset: Int)] = []
    for index in 0..<Int(count) {
      let position = first + 2 + 12 * index
      guard let type = file.integer(UInt16.self, at: position + 2, bigEndian: bigEndian),
        let width = TIFFEntry.width(ofType: type),
        let values = file.integer(UInt32.self, at: position + 4, bigEndian: bigEndian),
        let offset = file.integer(UInt32.self, at: position + 8, bigEndian: bigEndian)
      else { return nil }
      found.append((position, Int(values) * width, Int(offset)))
    }
    return found
  }
}
