/// Writes directories of a TIFF structure (TIFF 6.0, section 2; BigTIFF): of an Exif block, of a
/// TIFF beside libtiff's main one, of a maker note, of the index of pictures in a JPEG.
package struct TIFFDirectoryWriter: Sendable {
  private let bigEndian: Bool
  private let isBig: Bool

  /// `bigEndian` must match the fields; `isBig` selects BigTIFF's wider numbers.
  package init(bigEndian: Bool = false, isBig: Bool = false) {
    (self.bigEndian, self.isBig) = (bigEndian, isBig)
  }

  /// Bytes of an offset, of a count of values, and of values stored in their entry.
  private var word: Int { isBig ? 8 : 4 }

  private func headBytes(_ fields: [TIFFField]) -> Int {
    (isBig ? 8 : 2) + fields.count * (isBig ? 20 : 12) + word
  }

  /// Bytes that a directory of `fields` takes, with its longer values.
  package func byteCount(_ fields: [TIFFField]) -> Int {
    fields.map(\.payload.count).reduce(headBytes(fields)) {
      $1 <= word ? $0 : $0 + $1 + $1 % 2
    }
  }

  /// The directory at byte `offset` of its structure, its entries sorted by tag, followed by the
  /// longer values in the order of `fields`, each at an even offset; no other directory follows. No
  /// two fields may have one tag.
  package func bytes(_ fields: [TIFFField], at offset: Int) -> [UInt8] {
    var next = offset + headBytes(fields)
    var entries: [(tag: UInt16, bytes: [UInt8])] = []
    var values: [UInt8] = []
    for field in fields {
      var entry = number(Int(field.tag), 2) + number(Int(field.type), 2) + number(field.count, word)
      if field.payload.count <= word {
        entry += field.payload
        entry += [UInt8](repeating: 0, count: word - field.payload.count)
      } else {
        entry += number(next, word)
        values += field.payload
        if field.payload.count % 2 != 0 { values.append(0) }
        next += field.payload.count + field.payload.count % 2
      }
      entries.append((field.tag, entry))
    }
    entries.sort { $0.tag < $1.tag }
    return number(fields.count, isBig ? 8 : 2) + entries.flatMap(\.bytes) + number(0, word) + values
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? bytes.reversed() : bytes
  }
}
