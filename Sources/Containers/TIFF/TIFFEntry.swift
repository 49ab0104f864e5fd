package import ImageCore

/// One entry of a TIFF directory (TIFF 6.0 §2, BigTIFF, DNG 1.7.1): the range of its values,
/// already known to lie within the file, and their interpretations.
package struct TIFFEntry: Sendable {
  package let tag: UInt16
  /// TIFF type number, 1 BYTE … 18 IFD8, and 129, a text in UTF-8 (Exif 3.0).
  package let type: UInt16
  /// Number of values.
  package let count: Int
  /// Position of the first value in the file.
  package let offset: Int
  /// Position of the entry itself in the file.
  package let position: Int
  package let file: FileBytes
  package let bigEndian: Bool

  /// Bytes of one value of TIFF type `type`; nil for unknown types.
  package static func width(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  private func read<T: FixedWidthInteger>(_ kind: T.Type, _ index: Int, part: Int = 0) -> T? {
    let width = Self.width(ofType: type) ?? 1
    return file.integer(kind, at: offset + index * width + part, bigEndian: bigEndian)
  }

  /// Value `index` as an integer; nil for fractions, floats and text.
  private func integer(_ index: Int) -> Int? {
    switch type {
    case 1, 7: read(UInt8.self, index).map(Int.init)
    case 3: read(UInt16.self, index).map(Int.init)
    case 4, 13: read(UInt32.self, index).map(Int.init)
    case 6: read(Int8.self, index).map(Int.init)
    case 8: read(Int16.self, index).map(Int.init)
    case 9: read(Int32.self, index).map(Int.init)
    case 16, 18: read(UInt64.self, index).flatMap { Int(exactly: $0) }
    case 17: read(Int64.self, index).flatMap { Int(exactly: $0) }
    default: nil
    }
  }

  /// Value `index` as a number; nil for text and for fractions with denominator 0.
  private func number(_ index: Int) -> Double? {
    switch type {
    case 5: fraction(index).value
    case 10: signedFraction(index).value
    case 11: read(UInt32.self, index).map { Double(Float(bitPattern: $0)) }
    case 12: read(UInt64.self, index).map(Double.init(bitPattern:))
    default: integer(index).map(Double.init)
    }
  }

  private func fraction(_ index: Int) -> Rational {
    Rational(read(UInt32.self, index) ?? 0, read(UInt32.self, index, part: 4) ?? 0)
  }
  private func signedFraction(_ index: Int) -> SignedRational {
    SignedRational(read(Int32.self, index) ?? 0, read(Int32.self, index, part: 4) ?? 0)
  }

  /// Longer arrays are converted only on request: most readers need few values, and a byte of the
  /// file becomes eight of memory.
  private static let fewNumbers = 1 << 16

  /// All values as integers; nil when any is none, and for more than 65 536.
  package var integers: [Int]? { integers(atMost: Self.fewNumbers) }

  /// All values as integers; nil when any is not, and for more than `limit`.
  package func integers(atMost limit: Int) -> [Int]? {
    guard count <= limit else { return nil }
    var values: [Int] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      guard let value = integer(index) else { return nil }
      values.append(value)
    }
    return values
  }

  /// Value `index` as an integer, of an entry too long for an array; nil where it is missing, or
  /// not an integer.
  package func integer(at index: Int) -> Int? {
    0..<count ~= index ? integer(index) : nil
  }

  /// The first value as an integer.
  package var integer: Int? { integer(at: 0) }

  /// All values as finite numbers; nil when any is none, such as 0/0, and for more than 65 536.
  package var numbers: [Double]? { numbers(atMost: Self.fewNumbers) }

  /// All values as finite numbers; nil when any is not, and for more than `limit`.
  package func numbers(atMost limit: Int) -> [Double]? {
    guard count <= limit else { return nil }
    var values: [Double] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      guard let value = number(index), value.isFinite else { return nil }
      values.append(value)
    }
    return values
  }

  /// The first value as a finite number.
  package var number: Double? { count > 0 ? number(0).flatMap { $0.isFinite ? $0 : nil } : nil }

  /// The bytes of all values, in the file's byte order.
  package var bytes: [UInt8] {
    file.bytes(offset, count * (Self.width(ofType: type) ?? 1)) ?? []
  }

  /// The text up to the first NUL, for ASCII and BYTE entries.
  package var text: String? {
    guard [1, 2, 7, 129].contains(type) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The text of a name, cut where it is longer than any.
  package var name: String? { text?.asName }

  /// The values as Exif carries them; nil for types that Exif does not have.
  package var exifValue: ExifEntry.Value? {
    switch type {
    case 1: .bytes(bytes)
    case 2, 129: .ascii(text ?? "")
    case 3: .shorts((0..<count).map { read(UInt16.self, $0) ?? 0 })
    case 4: .longs((0..<count).map { read(UInt32.self, $0) ?? 0 })
    case 5: .rationals((0..<count).map(fraction))
    case 7: .undefined(bytes)
    case 10: .signedRationals((0..<count).map(signedFraction))
    default: nil
    }
  }
}
