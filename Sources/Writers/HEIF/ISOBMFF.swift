/// Big-endian bytes of the ISO base media file format (ISO/IEC 14496-12:2022).
package struct BoxBytes {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) {
    bytes.append(UInt8(value >> 8))
    bytes.append(UInt8(value & 0xFF))
  }
  package mutating func u32(_ value: UInt32) {
    u16(UInt16(value >> 16))
    u16(UInt16(value & 0xFFFF))
  }
  package mutating func u64(_ value: UInt64) {
    u32(UInt32(value >> 32))
    u32(UInt32(value & 0xFFFF_FFFF))
  }
  package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
  /// The characters and a closing NUL.
  package mutating func string(_ text: String) {
    append(text.utf8)
    u8(0)
  }

  /// A box of `type` around what `body` writes.
  package mutating func box(_ type: String, _ body: (inout BoxBytes) -> Void) {
    var inner = BoxBytes()
    body(&inner)
    u32(UInt32(truncatingIfNeeded: inner.bytes.count + 8))
    append(type.utf8)
    append(inner.bytes)
  }

  /// A box with a version and 24 flags.
  package mutating func fullBox(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout BoxBytes) -> Void
  ) {
    box(type) { inner in
      inner.u32(UInt32(version) << 24 | flags)
      body(&inner)
    }
  }
}
