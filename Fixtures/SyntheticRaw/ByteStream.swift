/// Byte order of a file.
public enum ByteOrder: String, Sendable, CaseIterable {
  /// `II`.
  case little
  /// `MM`.
  case big
}

/// Bytes to which integers are appended in one byte order.
struct ByteStream {
  let order: ByteOrder
  /// Whether offsets are 64 bits wide.
  var isBig = false
  var bytes: [UInt8] = []

  init(order: ByteOrder, isBig: Bool = false) {
    self.order = order
    self.isBig = isBig
  }

  /// Appends an offset, or in a BigTIFF any count.
  mutating func appendOffset(_ value: UInt64) {
    if isBig { append(value) } else { append(UInt32(truncatingIfNeeded: value)) }
  }

  mutating func append<T: FixedWidthInteger>(_ value: T) {
    let width = T.bitWidth
    for bit in stride(from: 0, to: width, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> T(order == .big ? width - 8 - bit : bit)))
    }
  }
}
