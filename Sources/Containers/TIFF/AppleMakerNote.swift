package import ImageCore

/// The maker note of Apple's cameras in an Exif block: the text "Apple iOS", a version, "MM", then
/// a big-endian directory whose offsets count from the note's start. Source of the layout: files of
/// Apple's cameras.
package struct AppleMakerNote: Sendable {
  /// One entry of the directory.
  package struct Entry: Sendable {
    package let tag: UInt16
    /// Position of its 12 bytes in the note.
    package let position: Int
    /// TIFF type number.
    package let type: UInt16
    /// Number of values.
    package let count: Int
    /// The offset stored instead of the value.
    package let offset: Int
  }

  private static let mark = Array("Apple iOS\0".utf8)
  /// Bytes before the directory.
  package static let headerBytes = 14
  /// The tag of Exif that has it.
  package static let tag: UInt16 = 0x927C

  /// The entries that lie within the note.
  package let entries: [Entry]
  /// Whether all entries do.
  package let isComplete: Bool
  private let file: FileBytes

  /// Nil when `note` is not Apple's.
  package init?(_ note: [UInt8]) {
    guard note.starts(with: Self.mark), let file = try? FileBytes(note),
      let count = file.integer(UInt16.self, at: Self.headerBytes, bigEndian: true)
    else { return nil }
    self.file = file
    entries = (0..<Int(count)).lazy.map { Self.headerBytes + 2 + 12 * $0 }
      .prefix { file.holds($0, 12) }.compactMap { position in
        guard let tag = file.integer(UInt16.self, at: position, bigEndian: true),
          let type = file.integer(UInt16.self, at: position + 2, bigEndian: true),
          let count = file.integer(UInt32.self, at: position + 4, bigEndian: true),
          let offset = file.integer(UInt32.self, at: position + 8, bigEndian: true)
        else { return nil }
        return Entry(
          tag: tag, position: position, type: type, count: Int(count), offset: Int(offset))
      }
    isComplete = entries.count == Int(count)
  }

  /// Range of an entry's signed fraction in the note; nil for other types.
  package func fraction(_ entry: Entry) -> Range<Int>? {
    entry.type == 10 && file.holds(entry.offset, 8) ? entry.offset..<entry.offset + 8 : nil
  }

  /// The first fraction with this tag that is a number.
  package func number(_ tag: UInt16) -> Double? {
    for entry in entries where entry.tag == tag {
      guard let range = fraction(entry),
        let above = file.integer(Int32.self, at: range.lowerBound, bigEndian: true),
        let below = file.integer(Int32.self, at: range.lowerBound + 4, bigEndian: true), below != 0
      else { continue }
      return Double(above) / Double(below)
    }
    return nil
  }

  /// The two numbers that encode the headroom; nil without 33. A missing 48 means 0, the value in
  /// most files.
  package var headroom: AppleGainMap.MakerValues? {
    number(33).map { AppleGainMap.MakerValues(headroom33: $0, gain48: number(48) ?? 0) }
  }

  /// A note of these fractions, by tag.
  package static func bytes(_ values: [(tag: UInt16, fraction: SignedRational)]) -> [UInt8] {
    mark + [0, 1] + Array("MM".utf8)
      + TIFFDirectoryWriter(bigEndian: true).bytes(
        values.map { TIFFField($0.tag, .signedRationals([$0.fraction]), bigEndian: true) },
        at: headerBytes)
  }
}
