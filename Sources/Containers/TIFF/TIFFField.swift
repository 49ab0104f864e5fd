package import ImageCore

/// One entry of a TIFF directory as it is written (TIFF 6.0, section 2): its values as bytes.
///
/// libtiff 4.5.0 could write Exif directories, too, but passes fractions as floating point: 1/250
/// comes out as 8589935/2147483648, and the 0/0 that means "unknown" in Exif is lost.
package struct TIFFField: Sendable, Hashable {
  package let tag: UInt16
  /// TIFF type number.
  package let type: UInt16
  /// Number of values; of text and bytes their length.
  package let count: Int
  package let payload: [UInt8]

  /// Bytes stored elsewhere in the structure, `count` of them at `offset`.
  package init(_ tag: UInt16, undefined count: Int, at offset: Int, bigEndian: Bool) {
    (self.tag, type, self.count) = (tag, 7, count)
    payload = UInt32(truncatingIfNeeded: offset).bytes(bigEndian: bigEndian)
  }

  /// An unchanged entry of another structure of the same byte order. Integers of 8 bytes, which
  /// only BigTIFF has, become 4-byte ones where they fit.
  package init(copying entry: TIFFEntry) {
    if [16, 18].contains(entry.type), let values = entry.integers(atMost: entry.count),
      values.allSatisfy({ $0 < 1 << 32 })
    {
      self.init(
        entry.tag, .longs(values.map { UInt32(clamping: $0) }), bigEndian: entry.bigEndian)
      return
    }
    self.init(entry.tag, type: entry.type, count: entry.count, payload: entry.bytes)
  }

  /// `count` values of TIFF type `type`, whose bytes are `payload`.
  package init(_ tag: UInt16, type: UInt16, count: Int, payload: [UInt8]) {
    (self.tag, self.type, self.count, self.payload) = (tag, type, count, payload)
  }

  /// `value` in the byte order of the structure it is part of; text gets its closing NUL.
  package init(_ tag: UInt16, _ value: ExifEntry.Value, bigEndian: Bool = false) {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] { number.bytes(bigEndian: bigEndian) }
    self.tag = tag
    switch value {
    case .bytes(let v): (type, count, payload) = (1, v.count, v)
    case .ascii(let text):
      payload = Array(text.utf8) + [0]
      (type, count) = (2, payload.count)
    case .shorts(let v): (type, count, payload) = (3, v.count, v.flatMap { bytes($0) })
    case .longs(let v): (type, count, payload) = (4, v.count, v.flatMap { bytes($0) })
    case .rationals(let v):
      (type, count) = (5, v.count)
      payload = v.flatMap { bytes($0.numerator) + bytes($0.denominator) }
    case .undefined(let v): (type, count, payload) = (7, v.count, v)
    case .signedRationals(let v):
      (type, count) = (10, v.count)
      payload = v.flatMap { bytes($0.numerator) + bytes($0.denominator) }
    }
  }
}
