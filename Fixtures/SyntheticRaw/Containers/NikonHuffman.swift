import ImageCore

/// Nikon's compression: differences from the last sample of the same column parity, for the first
/// two of a row from those of the last row but one, in one of six fixed Huffman codes.
///
/// A symbol holds the number of bits of the difference and, in its upper half, how many of the
/// lowest are not stored; of these the middle is read. Lossless, the differences are those of the
/// samples. Lossy, they are those of codes that a curve turns into samples: linear up to 512, then
/// ever coarser, as noise grows; and from a row in the middle on, codes with bits left out take
/// over, and codes may pass the ends of the curve by 16.
///
/// The table (tag 0x96) begins with a version (0x4630 lossless, 0x4420 with a curve whose points
/// are equally spaced), the four start values and the points of the curve; the row at which codes
/// change is at 562.
///
/// Sources: the codes are from published analyses (dcraw's nikon_tree, rawspeed); the layout is
/// what LibRaw 0.20 reads.
struct NikonHuffman {
  /// The mosaic's data.
  let bytes: [UInt8]
  /// The value of tag 0x96.
  let table: [UInt8]
  /// What the data decode to.
  private(set) var decoded: [UInt16]

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    let isLossy = raw.coding == .nefLossy
    try raw.require(raw.bits == 12 || raw.bits == 14, "12 or 14 bits, not \(raw.bits)")
    let (lossy, split, lossless) = raw.bits == 12 ? Self.codes12 : Self.codes14
    let curve = isLossy ? Self.curve(bits: raw.bits) : (0..<1 << raw.bits).map { UInt16($0) }
    // The curve ends where it is constant.
    let last = curve.firstIndex(of: curve.last ?? 0) ?? 0
    let search = CodeSearch(Array(curve[...last]))
    let change = isLossy ? raw.size.height / 2 : Int.max
    let start = search.nearest(raw.black[0])

    decoded = raw.samples
    var sink = BitSink()
    var prediction = ParityPrediction([start, start, start, start])
    for y in 0..<raw.size.height {
      let code = isLossy ? (y < change ? lossy : split) : lossless
      for x in 0..<raw.size.width {
        let at = y * raw.size.width + x
        let predicted = prediction(x, y)
        let wanted = search.nearest(raw.samples[at])
        let read = predicted + Self.put(wanted - predicted, code, to: &sink)
        prediction.take(read, x, y)
        decoded[at] = curve[min(max(read, 0), last)]
      }
    }
    sink.finish()
    bytes = sink.bytes

    var head = ByteStream(order: raw.byteOrder)
    head.bytes = isLossy ? [0x44, 0x20] : [0x46, 0x30]
    for _ in 0..<4 { head.append(UInt16(start)) }
    if isLossy {
      let step = curve.count / Self.intervals
      head.append(UInt16(Self.intervals + 1))
      for i in 0...Self.intervals { head.append(curve[min(i * step, curve.count - 1)]) }
      head.bytes += [UInt8](repeating: 0, count: 562 - head.bytes.count)
      head.append(UInt16(change))
    } else {
      head.bytes += [UInt8](repeating: 0, count: 64)
    }
    table = head.bytes
  }

  /// Appends the symbol and bits for `difference`; returns the difference that is read.
  private static func put(_ difference: Int, _ code: PrefixCode, to sink: inout BitSink) -> Int {
    let count = PrefixCode.category(difference)
    // Where a code has the length twice, the first word is as good.
    guard let symbol = code.symbols.first(where: { Int($0 & 15) == count }) else { return 0 }
    code.put(symbol, to: &sink)
    guard count > 0 else { return 0 }
    let hidden = Int(symbol >> 4)
    let raised = difference < 0 ? difference + (1 << count) - (hidden > 0 ? 0 : 1) : difference
    // The highest bit is the sign.
    let stored = (difference < 0 ? min(raised, 1 << (count - 1) - 1) : raised) >> hidden
    sink.put(UInt32(stored), UInt32(count - hidden))
    let read = ((stored << 1 + 1) << hidden) >> 1
    return difference < 0 ? read - (1 << count) + (hidden > 0 ? 0 : 1) : read
  }

  private static let intervals = 256

  /// The sample of each code: points at equal distances, between them linear, rounded down.
  private static func curve(bits: Int) -> [UInt16] {
    let count = 1 << bits
    let step = count / intervals
    let points = (0...intervals).map { i -> Int in
      let code = i * step
      let bent = max(0, code - 512)
      return min(code + bent * bent / 1024, count - 1)
    }
    return (0..<count).map { code in
      let (i, rest) = (code / step, code % step)
      return UInt16((points[i] * (step - rest) + points[i + 1] * rest) / step)
    }
  }

  private static let codes12 = (
    lossy: PrefixCode(
      counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 2],
      symbols: [5, 4, 3, 6, 2, 7, 1, 0, 8, 9, 11, 10, 12]),
    split: PrefixCode(
      counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 2],
      symbols: [0x39, 0x5A, 0x38, 0x27, 0x16, 5, 4, 3, 2, 1, 0, 11, 12, 12]),
    lossless: PrefixCode(
      counts: [0, 1, 4, 2, 3, 1, 2], symbols: [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12])
  )

  private static let codes14 = (
    lossy: PrefixCode(
      counts: [0, 1, 4, 3, 1, 1, 1, 1, 1, 2],
      symbols: [5, 6, 4, 7, 8, 3, 9, 2, 1, 0, 10, 11, 12, 13, 14]),
    split: PrefixCode(
      counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 2],
      symbols: [8, 0x5C, 0x4B, 0x3A, 0x29, 7, 6, 5, 4, 3, 2, 1, 0, 13, 14]),
    lossless: PrefixCode(
      counts: [0, 1, 4, 2, 2, 3, 1, 2], symbols: [7, 6, 8, 5, 9, 4, 10, 3, 11, 12, 2, 0, 1, 13, 14])
  )
}
