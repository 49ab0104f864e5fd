/// Writes small TIFF structures byte by byte.
package struct TIFFStructure {
  private let bigEndian: Bool
  private let isBig: Bool
  package var bytes: [UInt8] = []

  package init(bigEndian: Bool = false, isBig: Bool = false) {
    (self.bigEndian, self.isBig) = (bigEndian, isBig)
  }

  package mutating func put<T: FixedWidthInteger>(_ value: T) {
    let ordered = (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    bytes += bigEndian ? ordered.reversed() : ordered
  }
  package mutating func offset(_ value: Int) {
    if isBig { put(UInt64(value)) } else { put(UInt32(truncatingIfNeeded: value)) }
  }
  package mutating func header(first: Int) {
    bytes += bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    put(UInt16(isBig ? 43 : 42))
    if isBig {
      put(UInt16(8))
      put(UInt16(0))
    }
    offset(first)
  }
  /// A directory of entries (tag, type, count, value field), the value as the writer's order stores
  /// it.
  package mutating func directory(_ entries: [(UInt16, UInt16, Int, [UInt8])], next: Int) {
    if isBig { put(UInt64(entries.count)) } else { put(UInt16(entries.count)) }
    for (tag, type, count, value) in entries {
      put(tag)
      put(type)
      offset(count)
      bytes += (value + [UInt8](repeating: 0, count: 8)).prefix(isBig ? 8 : 4)
    }
    offset(next)
  }
}
