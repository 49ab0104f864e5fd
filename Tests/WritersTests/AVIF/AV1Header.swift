import Testing

/// The sequence header of a still picture (AV1 bitstream specification 5.5), read without the code
/// that describes it.
struct AV1Header {
  let profile: Int
  let level: Int
  let isReducedStill: Bool
  let bits: Int
  let isGray: Bool
  /// Primaries, transfer, matrix and whether the range is full.
  let codes: [Int]
  let chromaPosition: Int

  /// `data`: an item whose first unit is the header.
  init(_ data: [UInt8]) throws {
    try #require(data.count > 2 && data[0] == 0x0A && Int(data[1]) + 2 < data.count)
    var at = 16
    func next(_ count: Int) -> Int {
      defer { at += count }
      return (at..<at + count).reduce(0) { $0 << 1 | Int(data[$1 / 8] >> (7 - $1 % 8) & 1) }
    }
    profile = next(3)
    isReducedStill = next(2) == 3
    level = next(5)
    let (columns, rows) = (next(4) + 1, next(4) + 1)
    _ = (next(columns), next(rows))
    _ = next(6)  // superblocks, filter intra, intra edge, superres, CDEF, restoration
    let isHigh = next(1) == 1
    bits = isHigh ? profile == 2 && next(1) == 1 ? 12 : 10 : 8
    isGray = profile != 1 && next(1) == 1
    let stated = next(1) == 1 ? [next(8), next(8), next(8)] : [2, 2, 2]
    codes = stated + [next(1)]
    let isSubsampled = profile == 0 || profile == 2 && bits == 12 && next(1) == 1 && next(1) == 1
    chromaPosition = !isGray && isSubsampled ? next(2) : 0
  }
}
