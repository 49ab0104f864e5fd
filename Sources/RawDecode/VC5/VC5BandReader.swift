import ImageCore

/// Decodes the codeblock of one subband: SMPTE ST 2073-1. The low-pass band contains plain unsigned
/// numbers. A high-pass band contains codes of ``VC5CodeBook`` for its coefficients, row by row;
/// runs of zeros may cross row ends but not the band end, which is followed by an end code.
///
/// Reading stays within the bytes, and every iteration consumes a bit, whatever the input: zeros
/// follow the end of the bytes, without an end code.
enum VC5BandReader {
  /// Coefficients written after the band: the zeros of one lookup, and one.
  static let margin = 128

  /// The low-pass band of `codeblock`, which must have enough bytes.
  static func lowPass(_ bytes: ByteView, _ size: PixelSize, precision: Int) throws(PixelError)
    -> SubbandPlane<Int32>
  {
    let plane = try SubbandPlane<Int32>(size)
    let row = plane.all
    PackedBits.forEach(precision, bytes, size.area) { row[$0] = Int32(truncatingIfNeeded: $1) }
    return plane
  }

  /// The high-pass band of a codeblock; nil if it is damaged.
  static func highPass(_ bytes: ByteView, _ size: PixelSize) throws(PixelError) -> SubbandPlane<
    Int16
  >? {
    let plane = try SubbandPlane<Int16>(size, margin: margin)
    return read(bytes, into: plane.all, count: size.area) ? plane : nil
  }

  /// Reads `count` coefficients into `band`, which is zeroed and followed by the margin.
  private static func read(_ bytes: ByteView, into band: SampleRow<Int16>, count: Int) -> Bool {
    let book = VC5CodeBook.shared
    let prefixes = book.prefixes.span
    let end = bytes.count * 8
    var (position, bit) = (0, 0)
    while position < count {
      guard bit < end else { return false }
      // At least 57 bits, enough for four lookups.
      var window = next(bytes, bit)
      var entry: UInt32 = 0
      for _ in 0..<4 {
        entry = unsafe prefixes[unchecked: Int(truncatingIfNeeded: window &>> 52)]
        let length = entry & 0xFF
        guard length > 0 else { break }
        bit &+= Int(truncatingIfNeeded: length)
        window = window &<< UInt64(truncatingIfNeeded: length)
        position &+= Int(truncatingIfNeeded: entry &>> 8 & 0xFF)
        let value = Int16(truncatingIfNeeded: Int32(bitPattern: entry) &>> 16)
        band[position] = value
        position &+= value == 0 ? 0 : 1
        guard position < count else { break }
      }
      guard entry & 0xFF == 0 else { continue }
      window = next(bytes, bit)
      let code = book.meaning(of: UInt32(truncatingIfNeeded: window &>> 38))
      guard !code.isEnd, code.run <= count - position else { return false }
      bit += code.length
      position += code.run
      guard code.magnitude > 0 else { continue }
      let isNegative = (window &<< UInt64(code.length)) &>> 63 == 1
      band[position] = isNegative ? -code.magnitude : code.magnitude
      position += 1
      bit += 1
    }
    guard position == count, bit < end else { return false }
    let code = book.meaning(of: UInt32(truncatingIfNeeded: next(bytes, bit) &>> 38))
    return code.isEnd && bit + code.length <= end
  }

  /// At least 57 bits starting at `bit`, left-aligned.
  @inline(__always)
  private static func next(_ bytes: ByteView, _ bit: Int) -> UInt64 {
    let offset = bit &>> 3
    let word =
      offset &+ 8 <= bytes.count
      ? UInt64(bigEndian: bytes.load(UInt64.self, at: offset)) : lastBytes(bytes, offset)
    return word &<< UInt64(truncatingIfNeeded: bit & 7)
  }

  /// The bytes from `offset` on, fewer than eight, padded with zeros.
  @inline(never)
  private static func lastBytes(_ bytes: ByteView, _ offset: Int) -> UInt64 {
    (offset..<offset + 8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
  }
}
