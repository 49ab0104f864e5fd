package import ImageCore

/// The maker note of Apple's cameras within an Exif block (a TIFF structure): the two numbers that
/// encode the headroom, 33 and 48, removed or set in place.
///
/// Nothing moves: later entries close up within the directory, which keeps its length, and removed
/// numbers become zeros. So all offsets, of the note and of the block around it, stay valid, and
/// every other byte is unchanged. Source of the numbers: apple.com's article on applying the HDR
/// effect.
package struct MakerAppleNote {
  private static let tags: Set<UInt16> = [33, 48]

  package private(set) var block: [UInt8]
  /// Range of the note in the block.
  private let note: Range<Int>
  /// Entries of the directory: position in the block, tag, and the range of a signed fraction in
  /// the block.
  private let entries: [(position: Int, tag: UInt16, fraction: Range<Int>?)]

  /// The note in `block`; nil when it has none of Apple's that can be edited.
  package init?(_ block: [UInt8]) {
    guard let file = try? FileBytes(block), let tiff = try? TIFFFile(file),
      let entry = tiff.directory(.exif)?[AppleMakerNote.tag],
      entry.offset + entry.count <= block.count
    else { return nil }
    let start = entry.offset
    let note = start..<start + entry.count
    guard let content = AppleMakerNote(Array(block[note])), content.isComplete else { return nil }
    self.block = block
    self.note = note
    entries = content.entries.map { entry in
      let range = content.fraction(entry).flatMap { range -> Range<Int>? in
        guard entry.count == 1, range.lowerBound >= AppleMakerNote.headerBytes else { return nil }
        return start + range.lowerBound..<start + range.upperBound
      }
      return (start + entry.position, entry.tag, range)
    }
  }

  /// The block without the two numbers.
  package func withoutHeadroom() -> [UInt8] {
    guard let first = entries.first else { return block }
    var out = block
    let remaining = entries.filter { !Self.tags.contains($0.tag) }
    let removed = entries.count - remaining.count
    // Their values, except for bytes that belong to the directory itself.
    let directoryEnd = first.position + 12 * entries.count
    for entry in entries where Self.tags.contains(entry.tag) {
      if let range = entry.fraction, range.lowerBound >= directoryEnd {
        for index in range { out[index] = 0 }
      }
    }
    let count = remaining.count
    out[first.position - 2] = UInt8(truncatingIfNeeded: count >> 8)
    out[first.position - 1] = UInt8(truncatingIfNeeded: count)
    let next = min(directoryEnd + 4, note.upperBound)
    let directory =
      remaining.flatMap { out[$0.position..<$0.position + 12] } + out[directoryEnd..<next]
    out.replaceSubrange(
      first.position..<next, with: directory + [UInt8](repeating: 0, count: 12 * removed))
    return out
  }

  /// The block with these numbers; nil where it has no entries for both.
  package func with(_ values: AppleGainMap.MakerValues) -> [UInt8]? {
    var out = block
    var done: Set<UInt16> = []
    for entry in entries {
      let value = entry.tag == 33 ? values.headroom33 : values.gain48
      guard Self.tags.contains(entry.tag), let range = entry.fraction, value.isFinite,
        abs(value) < 2000
      else { continue }
      let number = Int32((value * 1_000_000).rounded())
      out.replaceSubrange(
        range,
        with: number.bytes(bigEndian: true) + Int32(1_000_000).bytes(bigEndian: true))
      done.insert(entry.tag)
    }
    return done == Self.tags ? out : nil
  }
}
