import ImageCore

/// The bytes of one Exif or GPS directory (TIFF 6.0, section 2; BigTIFF), little-endian.
///
/// libtiff 4.5.0 could write these directories too, but it passes fractions as floating point: 1/250
/// comes out as 8589935/2147483648, and the 0/0 by which Exif says "unknown" is lost. Here every
/// value is stored as it is.
struct TIFFDirectory {
  private struct Field {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var payload: [UInt8]
  }
  private var fields: [Field] = []

  /// Offsets of other directories: they have no meaning in another file.
  private static let offsets: Set<UInt16> = [0x8769, 0x8825, 0xA005]

  /// A directory of these entries, by tag; of two with one tag the last counts. Entries without a
  /// value and offsets of other directories are left out.
  init(_ entries: [ExifEntry]) {
    var byTag: [UInt16: Field] = [:]
    for entry in entries where !Self.offsets.contains(entry.tag) {
      if let field = Self.field(entry), field.count > 0 { byTag[entry.tag] = field }
    }
    fields = byTag.values.sorted { $0.tag < $1.tag }
  }

  /// Whether there is nothing to write.
  var isEmpty: Bool { fields.isEmpty }

  /// The directory as it stands at byte `offset` of its file, followed by its longer values.
  /// `isBig` chooses BigTIFF's wider numbers.
  func bytes(at offset: Int, isBig: Bool) -> [UInt8] {
    let word = isBig ? 8 : 4
    let head = (isBig ? 8 : 2) + fields.count * (isBig ? 20 : 12) + word
    var directory: [UInt8] = []
    var values: [UInt8] = []
    Self.append(fields.count, bytes: isBig ? 8 : 2, to: &directory)
    for field in fields {
      Self.append(Int(field.tag), bytes: 2, to: &directory)
      Self.append(Int(field.type), bytes: 2, to: &directory)
      Self.append(field.count, bytes: word, to: &directory)
      if field.payload.count <= word {
        directory += field.payload
        directory += [UInt8](repeating: 0, count: word - field.payload.count)
      } else {
        Self.append(offset + head + values.count, bytes: word, to: &directory)
        values += field.payload
        if values.count % 2 != 0 { values.append(0) }
      }
    }
    Self.append(0, bytes: word, to: &directory)
    return directory + values
  }

  private static func field(_ entry: ExifEntry) -> Field? {
    func field(_ type: UInt16, _ count: Int, _ payload: [UInt8]) -> Field {
      Field(tag: entry.tag, type: type, count: count, payload: payload)
    }
    switch entry.value {
    case .bytes(let v): return field(1, v.count, v)
    case .ascii(let text):
      let v = Array(text.utf8.prefix { $0 != 0 }) + [0]
      return field(2, v.count, v)
    case .shorts(let v): return field(3, v.count, v.flatMap { little($0) })
    case .longs(let v): return field(4, v.count, v.flatMap { little($0) })
    case .rationals(let v):
      return field(5, v.count, v.flatMap { little($0.numerator) + little($0.denominator) })
    case .undefined(let v): return field(7, v.count, v)
    case .signedRationals(let v):
      return field(10, v.count, v.flatMap { little($0.numerator) + little($0.denominator) })
    }
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
  }
  private static func append(_ value: Int, bytes count: Int, to bytes: inout [UInt8]) {
    bytes += little(UInt64(value)).prefix(count)
  }
}
