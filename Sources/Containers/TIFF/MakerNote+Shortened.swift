package import ImageCore

extension CaptureMetadata.MakerNote {
  /// Bytes behind the last value that belong to the note, such as the header that Canon repeats.
  private static let longestTail = 16

  /// The note without the longest values of its directory, so that it has at most `limit` bytes;
  /// nil where it cannot be made so short, and where its offsets count from places that are not
  /// known.
  ///
  /// Values keep their order and their bytes, and the note its place. Canon's raws have 50 kB for
  /// raw converters in one of them.
  package func shortened(to limit: Int) -> CaptureMetadata.MakerNote? {
    guard case .at(let place, let bigEndian) = placement, let file = try? FileBytes(bytes) else {
      return nil
    }
    let start = Self.fixed.first { bytes.starts(with: $0.name) }?.directory ?? 0
    guard let count = file.integer(UInt16.self, at: start, bigEndian: bigEndian) else { return nil }
    /// Its entry without the offset, and where its value lies in the note if not in the entry.
    var entries: [(head: [UInt8], value: Range<Int>?, inline: [UInt8])] = []
    for index in 0..<Int(count) {
      let at = start + 2 + 12 * index
      guard let head = file.bytes(at, 8), let inline = file.bytes(at + 8, 4),
        let type = file.integer(UInt16.self, at: at + 2, bigEndian: bigEndian),
        let width = TIFFEntry.width(ofType: type),
        let values = file.integer(UInt32.self, at: at + 4, bigEndian: bigEndian),
        let offset = file.integer(UInt32.self, at: at + 8, bigEndian: bigEndian)
      else { return nil }
      let length = Int(values) * width
      guard length > 4 else {
        entries.append((head, nil, inline))
        continue
      }
      guard file.holds(Int(offset) - place, length) else { return nil }
      entries.append((head, Int(offset) - place..<Int(offset) - place + length, inline))
    }
    // Values stand at even offsets.
    let last = entries.compactMap { $0.value?.upperBound }.max() ?? bytes.count
    let end = min(last + last % 2, bytes.count)
    let tail = bytes[end...].count <= Self.longestTail ? Array(bytes[end...]) : []

    func made() -> [UInt8] {
      var offsets: [Int: Int] = [:]
      var values: [UInt8] = []
      let first = start + 2 + 12 * entries.count + 4
      for value in Set(entries.compactMap(\.value)).sorted(by: { $0.lowerBound < $1.lowerBound }) {
        offsets[value.lowerBound] = place + first + values.count
        values += bytes[value]
        if values.count % 2 != 0 { values.append(0) }
      }
      let directory = entries.flatMap { entry in
        entry.head
          + (entry.value.flatMap { offsets[$0.lowerBound] }.map {
            UInt32(truncatingIfNeeded: $0).bytes(bigEndian: bigEndian)
          } ?? entry.inline)
      }
      return bytes[..<start] + UInt16(truncatingIfNeeded: entries.count).bytes(bigEndian: bigEndian)
        + directory + [0, 0, 0, 0] + values + tail
    }
    var short = made()
    while short.count > limit {
      guard
        let longest = entries.indices.max(by: {
          (entries[$0].value?.count ?? 0) < (entries[$1].value?.count ?? 0)
        }), entries[longest].value != nil
      else { return nil }
      entries.remove(at: longest)
      short = made()
    }
    return CaptureMetadata.MakerNote(bytes: short, placement: placement)
  }
}
