/// Takes big-endian numbers and boxes from the front of some bytes of an ISO base media file (ISO/IEC
/// 14496-12:2022). Every take is checked; what is taken only ever moves forward, so reading ends.
package struct ISOCursor {
  package private(set) var bytes: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
  package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  package var count: Int { bytes.count }
  package var isEmpty: Bool { bytes.isEmpty }

  package static func damaged(_ what: String) -> ReadError {
    ReadError(.damaged, "\(what); copy the file again from where it came")
  }

  package mutating func take(_ length: Int) throws(ReadError) -> ArraySlice<UInt8> {
    guard length >= 0, length <= bytes.count else {
      throw Self.damaged("a table of the file ends early")
    }
    defer { bytes = bytes.dropFirst(length) }
    return bytes.prefix(length)
  }

  /// An unsigned number of 0…8 bytes; of more than 63 bits it is refused.
  package mutating func uint(_ length: Int) throws(ReadError) -> Int {
    let value = try take(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else {
      throw Self.damaged("a number in the file's tables is beyond any file")
    }
    return number
  }

  package mutating func u8() throws(ReadError) -> Int { try uint(1) }
  package mutating func u16() throws(ReadError) -> Int { try uint(2) }
  package mutating func u32() throws(ReadError) -> Int { try uint(4) }
  mutating func s32() throws(ReadError) -> Int {
    Int(Int32(truncatingIfNeeded: try uint(4)))
  }

  /// Four characters.
  package mutating func name() throws(ReadError) -> String {
    String(try take(4).map { Character(UnicodeScalar($0)) })
  }

  /// Characters up to a NUL, which is taken too, or to the end.
  package mutating func text() -> String {
    let text = bytes.prefix { $0 != 0 }
    bytes = bytes.dropFirst(text.count + 1)
    return String(decoding: text, as: UTF8.self)
  }

  /// Version and flags of a full box.
  package mutating func version() throws(ReadError) -> (version: Int, flags: Int) {
    (try u8(), try uint(3))
  }

  /// The next box; nil at the end.
  package mutating func box() throws(ReadError) -> ISOBox? {
    if isEmpty { return nil }
    var (header, length) = (8, try u32())
    let type = try name()
    if length == 1 {
      length = try uint(8)
      header = 16
    }
    guard length >= header, length - header <= count else {
      throw Self.damaged("box \(ISOBox.shown(type)) does not end within the one around it")
    }
    return ISOBox(type: type, content: ISOCursor(try take(length - header)))
  }
}

/// One box within another.
package struct ISOBox {
  package let type: String
  package let content: ISOCursor

  /// The name of a box for people.
  package static func shown(_ type: String) -> String {
    String(type.unicodeScalars.map { $0.isASCII && $0.value > 31 ? Character($0) : "?" })
  }
}
