/// Reads numbers one after the other, in either byte order. Nothing after the end is ever read:
/// missing values are nil, and the parser of the format reports truncation. The position only moves
/// forward, so reading terminates.
package struct ByteCursor: Sendable {
  @usableFromInline let bytes: ArraySlice<UInt8>
  @usableFromInline let bigEndian: Bool
  /// Bytes read so far.
  @usableFromInline var offset = 0

  @inlinable
  package init(_ bytes: ArraySlice<UInt8>, bigEndian: Bool = true) {
    (self.bytes, self.bigEndian) = (bytes, bigEndian)
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Number of all bytes.
  @inlinable package var count: Int { bytes.count }

  /// Bytes not read so far.
  @inlinable package var remaining: Int { bytes.count - offset }
  package var isEmpty: Bool { remaining == 0 }
  package var rest: ArraySlice<UInt8> { bytes.dropFirst(offset) }

  /// The next integer of the width of `T`.
  @inlinable
  package mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    let width = MemoryLayout<T>.size
    guard width <= remaining else { return nil }
    let start = offset
    let value = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: start, as: T.self)
    }
    offset += width
    return bigEndian ? T(bigEndian: value) : T(littleEndian: value)
  }

  /// The next `count` bytes.
  package mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { offset += count }
    return rest.prefix(count)
  }
}

extension FixedWidthInteger {
  /// The bytes of the number, in either order.
  package func bytes(bigEndian: Bool) -> [UInt8] {
    let bytes = (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    return bigEndian ? bytes.reversed() : bytes
  }
}
