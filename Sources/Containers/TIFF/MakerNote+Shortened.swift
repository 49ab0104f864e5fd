package import ImageCore

extension CaptureMetadata.MakerNote {
  /// Bytes after the last value that belong to the note, such as the header that Canon repeats.
  private static let longestTail = 16

  /// The note without the longest values of its directory, so that it has at most `limit` bytes;
  /// nil where that is impossible, and where its offsets count from an unknown position.
  ///
  /// Values keep their order and their bytes, and the note its position. Canon's raws have 50 kB
  /// for raw converters in one of them.
  package func shortened(to limit: Int) -> CaptureMetadata.MakerNote? {
    guard case .at(let position, let bigEndian) = placement, let file = try? FileBytes(bytes) else {
      return nil
    }
    let start = Self.fixed.first { bytes.starts(with: $0.name) }?.directory ?? 0
    guard let found = Self.entries(at: start, of: file, bigEndian: bigEndian) else { return nil }
    /// Its bytes, and where its value lies in the note if not in the entry.
    var entries: [(bytes: ArraySlice<UInt8>, value: Range<Int>?)] = []
    for entry in found {
      let stored = bytes[entry.position..<entry.position + 12]
      guard entry.bytes > 4 else {
        entries.append((stored, nil))
        continue
      }
      let start = entry.offset - position
      guard file.holds(start, entry.bytes) else { return nil }
      entries.append((stored, start..<start + entry.bytes))
    }
    // Values are at even offsets.
    let last = entries.compactMap { $0.value?.upperBound }.max() ?? bytes.count
    let end = min(last + last % 2, bytes.count)
    let tail = bytes[end...].count <= Self.longestTail ? Array(bytes[end...]) : []

    func made() -> [UInt8] {
      var offsets: [Range<Int>: Int] = [:]
      var values: [UInt8] = []
      let first = start + 2 + 12 * entries.count + 4
      let ranges = Set(entries.compactMap(\.value)).sorted {
        ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
      }
      for value in ranges {
        offsets[value] = position + first + values.count
        values += bytes[value]
        if values.count % 2 != 0 { values.append(0) }
      }
      let directory = entries.flatMap { entry in
        guard let offset = entry.value.flatMap({ offsets[$0] }) else { return Array(entry.bytes) }
        return entry.bytes.prefix(8)
          + UInt32(truncatingIfNeeded: offset).bytes(bigEndian: bigEndian)
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
