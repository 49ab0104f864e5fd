/// A directory of TIFF 6.0 or BigTIFF: fields in ascending order of their tags, followed by long
/// values.
///
/// Fixtures have writers of their own, so that a mistake is not shared with the readers under test:
/// on purpose, neither the writer of Containers nor the compressors of Codecs are used.
struct TIFFDirectory {
  private(set) var fields: [UInt16: TIFFValue] = [:]

  subscript(tag: UInt16) -> TIFFValue? {
    get { fields[tag] }
    set { fields[tag] = newValue }
  }

  /// Adds `others`, which replace fields of the same tag.
  mutating func merge(_ others: [UInt16: TIFFValue]) {
    fields.merge(others) { $1 }
  }

  /// Bytes of the directory itself, without its long values.
  private func tableSize(isBig: Bool) -> Int {
    isBig ? 8 + 20 * fields.count + 8 : 2 + 12 * fields.count + 4
  }

  /// Bytes that the directory and its long values take; even.
  func byteCount(isBig: Bool) -> Int {
    var sum = tableSize(isBig: isBig)
    for value in fields.values {
      let bytes = value.byteCount(isBig: isBig)
      if bytes > (isBig ? 8 : 4) { sum += (bytes + 1) & ~1 }
    }
    return (sum + 1) & ~1
  }

  /// The bytes of the directory at `offset`, followed in its chain by that at `next`, 0 for none.
  func encoded(
    at offset: Int, order: ByteOrder, isBig: Bool = false, next: UInt64 = 0
  ) -> [UInt8] {
    let inline = isBig ? 8 : 4
    let behind = offset + tableSize(isBig: isBig)
    var table = ByteStream(order: order, isBig: isBig)
    var heap = ByteStream(order: order, isBig: isBig)
    if isBig { table.append(UInt64(fields.count)) } else { table.append(UInt16(fields.count)) }
    for (tag, value) in fields.sorted(by: { $0.key < $1.key }) {
      table.append(tag)
      table.append(value.typeCode(isBig: isBig))
      table.appendOffset(UInt64(value.count))
      let bytes = value.byteCount(isBig: isBig)
      if bytes <= inline {
        value.write(to: &table)
        table.bytes += [UInt8](repeating: 0, count: inline - bytes)
      } else {
        table.appendOffset(UInt64(behind + heap.bytes.count))
        value.write(to: &heap)
        if heap.bytes.count & 1 == 1 { heap.bytes.append(0) }
      }
    }
    table.appendOffset(next)
    var all = table.bytes + heap.bytes
    if all.count & 1 == 1 { all.append(0) }
    return all
  }
}
