package import ImageCore

/// One dataset of IPTC's Information Interchange Model (IIM 4.2, chapter 1.6): a mark, the number
/// of its record, its own number, a length and the value.
package struct IPTCDataset: Sendable, Hashable {
  /// 1 the envelope, 2 the application record, which describes the picture.
  package let record: UInt8
  package let number: UInt8
  package let value: [UInt8]

  private static let mark: UInt8 = 0x1C
  /// Longer values have an extended length field.
  private static let maxShortLength = 0x7FFF

  package init(_ record: UInt8, _ number: UInt8, _ value: [UInt8]) {
    (self.record, self.number, self.value) = (record, number, value)
  }

  /// The datasets in `bytes`, up to the first damaged one, and up to the limit on items: each takes
  /// many times its minimum of five bytes.
  package static func all(
    in bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
  ) -> [IPTCDataset] {
    var cursor = ByteCursor(bytes)
    var found: [IPTCDataset] = []
    while found.count < limits.maxItems, let item = Self.next(&cursor) {
      found.append(IPTCDataset(item.record, item.number, Array(item.value)))
    }
    return found
  }

  /// Whether `bytes` have more than `limit` datasets.
  static func isLonger(_ bytes: [UInt8], than limit: Int) -> Bool {
    var cursor = ByteCursor(bytes)
    var count = 0
    while count <= limit, Self.next(&cursor) != nil { count += 1 }
    return count > limit
  }

  /// The dataset that begins at the cursor; nil for one that is damaged.
  private static func next(
    _ cursor: inout ByteCursor
  ) -> (record: UInt8, number: UInt8, value: ArraySlice<UInt8>)? {
    guard cursor.integer(UInt8.self) == mark, let record = cursor.integer(UInt8.self),
      let number = cursor.integer(UInt8.self),
      var length = cursor.integer(UInt16.self).map(Int.init)
    else { return nil }
    if length > maxShortLength {
      guard let digits = cursor.slice(length & maxShortLength), digits.count <= 4 else {
        return nil
      }
      length = digits.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let value = cursor.slice(length) else { return nil }
    return (record, number, value)
  }

  /// As it is stored.
  package var bytes: [UInt8] {
    let length =
      value.count <= Self.maxShortLength
      ? UInt16(value.count).bytes(bigEndian: true)
      : [0x80, 4] + UInt32(truncatingIfNeeded: value.count).bytes(bigEndian: true)
    return [Self.mark, record, number] + length + value
  }
}
