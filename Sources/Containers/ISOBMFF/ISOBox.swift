/// Big-endian numbers and boxes from the front of some bytes of an ISO base media file (ISO/IEC
/// 14496-12:2022); what is not there throws.
extension ByteCursor {
  package mutating func take(_ length: Int) throws(FormatError) -> ArraySlice<UInt8> {
    guard let bytes = slice(length) else {
      throw .contradiction("a box of the file is truncated")
    }
    return bytes
  }

  /// An unsigned number of 0…8 bytes; of more than 63 bits it is refused.
  package mutating func uint(_ length: Int) throws(FormatError) -> Int {
    let value = try take(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else {
      throw .contradiction("a 64-bit size or offset is out of range")
    }
    return number
  }

  package mutating func u8() throws(FormatError) -> Int { try uint(1) }
  package mutating func u16() throws(FormatError) -> Int { try uint(2) }
  package mutating func u32() throws(FormatError) -> Int { try uint(4) }
  package mutating func s32() throws(FormatError) -> Int {
    Int(Int32(truncatingIfNeeded: try uint(4)))
  }

  /// Four characters.
  package mutating func name() throws(FormatError) -> String { ISOBox.name(try take(4)) }

  /// Characters up to a NUL, which is consumed, or to the end.
  package mutating func text() -> String {
    let text = rest.prefix { $0 != 0 }
    _ = slice(min(text.count + 1, remaining))
    return String(decoding: text, as: UTF8.self)
  }

  /// Version and flags of a full box.
  package mutating func version() throws(FormatError) -> (version: Int, flags: Int) {
    (try u8(), try uint(3))
  }

  /// The next box; nil at the end.
  package mutating func box() throws(FormatError) -> ISOBox? {
    if isEmpty { return nil }
    var (header, length) = (8, try u32())
    let type = try name()
    if length == 1 {
      length = try uint(8)
      header = 16
    }
    guard length >= header, length - header <= remaining else {
      throw .contradiction("box \(ISOBox.shown(type)) extends past the end of its parent box")
    }
    return ISOBox(type: type, content: ByteCursor(try take(length - header)))
  }
}

/// One box within another.
package struct ISOBox {
  /// Four characters, one for each byte.
  package let type: String
  package let content: ByteCursor

  package init(type: String, content: ByteCursor) { (self.type, self.content) = (type, content) }

  /// The complete box, with a header of eight bytes.
  package var bytes: [UInt8] { Self.bytes(type, content.rest) }

  /// A box with a header of eight bytes.
  package static func bytes(_ type: String, _ content: some Collection<UInt8>) -> [UInt8] {
    let name = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    var box = BoxWriter()
    box.u32(UInt32(truncatingIfNeeded: content.count + 8))
    box.append(name)
    box.append(content)
    return box.bytes
  }

  /// The characters of four bytes.
  static func name(_ bytes: some Sequence<UInt8>) -> String {
    String(bytes.map { Character(UnicodeScalar($0)) })
  }

  /// The name of a box for people.
  package static func shown(_ type: String) -> String {
    String(type.unicodeScalars.map { (32..<127).contains($0.value) ? Character($0) : "?" })
  }
}

extension FileBytes {
  /// Where a box of the file is.
  package struct BoxPosition {
    package let type: String
    /// The complete box.
    package let range: Range<Int>
    /// What follows its header.
    package let content: Range<Int>
    /// Whether it has no length and reaches to the end.
    package let isOpen: Bool
  }

  /// The box at `offset`; nil when it does not end within `range`, by default the entire file.
  package func box(at offset: Int, within range: Range<Int>? = nil) -> BoxPosition? {
    unsafe BoxPosition(at: offset, before: range?.upperBound ?? count, in: buffer)
  }
}

extension FileBytes.BoxPosition {
  /// The box at `offset` of `data`; nil when it does not end before `end`, unless it may be cut
  /// there.
  init?(at offset: Int, before end: Int, in data: UnsafeRawBufferPointer, mayBeCut: Bool = false) {
    func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
      T(bigEndian: unsafe data.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
    guard offset >= 0, end <= data.count, offset + 8 <= end else { return nil }
    let short = Int(integer(UInt32.self, at: offset))
    var (header, length) = (8, short == 0 ? end - offset : short)
    if short == 1 {
      guard offset + 16 <= end else { return nil }
      (header, length) = (16, Int(clamping: integer(UInt64.self, at: offset + 8)))
    }
    if mayBeCut { length = min(length, end - offset) }
    guard length >= header, length <= end - offset else { return nil }
    type = unsafe ISOBox.name(data[offset + 4..<offset + 8])
    (range, content) = (offset..<offset + length, offset + header..<offset + length)
    isOpen = short == 0
  }
}

extension FormatError {
  /// The file contradicts itself.
  package static func contradiction(_ what: String) -> FormatError {
    FormatError(.damaged, "\(what); copy the file again from its source")
  }
}
