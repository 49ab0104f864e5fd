/// Order of the bytes of a number in the file.
public enum ByteOrder: String, Sendable, CaseIterable {
  /// `II`.
  case little
  /// `MM`.
  case big
}

/// Bytes that grow at the end, numbers in one byte order.
struct ByteStream {
  let order: ByteOrder
  /// Whether places in the file take 64 bits.
  var isBig = false
  var bytes: [UInt8] = []

  init(order: ByteOrder, isBig: Bool = false) {
    self.order = order
    self.isBig = isBig
  }

  /// A place in the file, or in a BigTIFF any count.
  mutating func appendOffset(_ value: UInt64) {
    if isBig { append(value) } else { append(UInt32(truncatingIfNeeded: value)) }
  }

  mutating func append<T: FixedWidthInteger>(_ value: T) {
    let stored = order == .big ? value.bigEndian : value.littleEndian
    withUnsafeBytes(of: stored) { bytes.append(contentsOf: $0) }
  }
}
