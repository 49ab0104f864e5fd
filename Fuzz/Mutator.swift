import Containers

/// Changes inputs by what they are made of: entries of directories, boxes, segments, chunks, lines.
/// Blind changes of bytes break a length, an offset or a checksum first, and seldom reach what
/// stands behind it.
enum Mutator {
  /// `bytes` after one to four changes, at most `limit` bytes; nil where nothing changed, or they
  /// have no structure that is known here.
  static func mutated(
    _ bytes: [UInt8], for target: FuzzTarget, limit: Int, _ random: inout Draws
  ) -> [UInt8]? {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let next = changed(result, for: target, &random) else { break }
      if next.count <= limit { result = next }
    }
    return result == bytes ? nil : result
  }

  private static func changed(
    _ bytes: [UInt8], for target: FuzzTarget, _ random: inout Draws
  ) -> [UInt8]? {
    if let format = PieceFormat(target) ?? PieceFormat(of: bytes) {
      // A JPEG holds a TIFF as Exif.
      let inside = format == .jpeg && Bool.random(using: &random)
      if inside, let changed = TIFFMutator.changed(bytes, &random) { return changed }
      return PieceMutator.changed(bytes, format, &random)
    }
    let isTIFF = bytes.starts(with: [0x49, 0x49]) || bytes.starts(with: [0x4D, 0x4D])
    if !isTIFF, Int.random(in: 0..<4, using: &random) > 0,
      let changed = BoxMutator.changed(bytes, &random)
    {
      return changed
    }
    return TIFFMutator.changed(bytes, &random)
  }

  /// Overwrites a number of one to eight bytes in `range`, in either byte order, by one that
  /// is more likely to lead astray than others: at an end of its range, of the file's length, or
  /// near the one before.
  static func changeNumber(
    _ bytes: inout [UInt8], in range: Range<Int>, _ random: inout Draws
  ) {
    let widths = [1, 2, 4, 8].filter { $0 <= range.count }
    guard let width = widths.randomElement(using: &random) else { return }
    // Numbers are mostly aligned with what they are in.
    let step = Bool.random(using: &random) ? width : 1
    let offset =
      range.lowerBound + Int.random(in: 0...(range.count - width) / step, using: &random) * step
    let isBigEndian = Bool.random(using: &random)
    let old = number(bytes, at: offset, width, isBigEndian)
    let new = near(old, size: bytes.count, &random)
    setNumber(&bytes, at: offset, width, isBigEndian, new)
  }

  /// A number that leads astray, from one of a file of `size` bytes.
  static func near(
    _ old: UInt64, size: Int, _ random: inout Draws
  ) -> UInt64 {
    let power = UInt64(1) << UInt64.random(in: 0..<64, using: &random)
    let choices = [
      0, 1, old &+ 1, old &- 1, old &* 2, old / 2, ~old, UInt64(size), UInt64(size) &- old, power,
      power &- 1, .max, UInt64.random(in: 0..<64, using: &random),
      UInt64.random(in: 0...UInt64(size), using: &random),
      UInt64.random(in: 0...(.max), using: &random),
      // NaN, infinity, 1 and a huge number, as Float and Double.
      0x7FC0_0000, 0x7F80_0000, 0x3F80_0000, 0x7F00_0000, 0x7FF8 << 48, 0x7FF0 << 48, 0x3FF0 << 48,
    ]
    return choices.randomElement(using: &random) ?? 0
  }

  static func number(_ bytes: [UInt8], at offset: Int, _ width: Int, _ isBigEndian: Bool) -> UInt64
  {
    let field = bytes[offset..<offset + width]
    return isBigEndian
      ? field.reduce(0) { $0 << 8 | UInt64($1) }
      : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func setNumber(
    _ bytes: inout [UInt8], at offset: Int, _ width: Int, _ isBigEndian: Bool, _ value: UInt64
  ) {
    let all = value.bytes(bigEndian: isBigEndian)
    let field = isBigEndian ? all.suffix(width) : all.prefix(width)
    bytes.replaceSubrange(offset..<offset + width, with: field)
  }
}
