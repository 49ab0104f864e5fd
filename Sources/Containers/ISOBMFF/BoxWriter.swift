/// Big-endian bytes of the ISO base media file format (ISO/IEC 14496-12:2022).
package struct BoxWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) { append(value.bytes(bigEndian: true)) }
  package mutating func u32(_ value: UInt32) { append(value.bytes(bigEndian: true)) }
  package mutating func u64(_ value: UInt64) { append(value.bytes(bigEndian: true)) }
  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  /// The characters and a closing NUL.
  package mutating func string(_ text: String) {
    append(text.utf8)
    u8(0)
  }
  /// A number of two bytes, or of four where `isWide`.
  package mutating func number(_ number: Int, isWide: Bool) {
    if isWide {
      u32(UInt32(truncatingIfNeeded: number))
    } else {
      u16(UInt16(truncatingIfNeeded: number))
    }
  }

  /// A box of `type` around what `body` writes.
  package mutating func box(_ type: String, _ body: (inout BoxWriter) -> Void) {
    var inner = BoxWriter()
    body(&inner)
    append(ISOBox.bytes(type, inner.bytes))
  }

  /// A box with a version and 24 flags.
  package mutating func fullBox(
    _ type: String, version: Int = 0, flags: UInt32 = 0, _ body: (inout BoxWriter) -> Void
  ) {
    box(type) { inner in
      inner.u32(UInt32(truncatingIfNeeded: version) << 24 | flags)
      body(&inner)
    }
  }
}

extension FixedWidthInteger {
  /// The nearest integer in range; 0 for NaN.
  package static func nearest(_ value: Double) -> Self {
    if value.isNaN { return 0 }
    return Self(clamping: Int(Swift.min(Swift.max(value.rounded(), -1e15), 1e15)))
  }
}
