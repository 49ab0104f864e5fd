import ImageCore

/// Sony's lossy coding of 8 bits a sample: 16 samples of one color of a row, every second column of
/// 32, are 128 bits, least significant first: the largest of the 11-bit codes (11 bits) and the
/// smallest (11), where they are (4 and 4), and 7 bits for each of the others: how far it is above
/// the smallest, shifted right by 0…4, the least that makes the range 7 bits wide.
///
/// Twice the code indexes a curve whose slope is 1, 2, 4, 8, 16 between the points of tag 0x7010,
/// which are stored times 4. Loss: one code of rounding, and up to half a step of the shift; the
/// largest code stands for 17204, of which 14 bits hold 16383.
///
/// Source: published analyses of the format (dcraw's sony_arw2; rawspeed); the numbers of the curve
/// occur in many cameras.
struct SonyARW2 {
  /// The value of tag 0x7010.
  static let points: [UInt16] = [8000, 10400, 12900, 14100]

  /// The mosaic's data.
  private(set) var bytes: [UInt8] = []
  /// What they decode to.
  private(set) var decoded: [UInt16]

  /// The value of each of the 2048 codes.
  static let values: [UInt16] = {
    let ends = [0] + points.map { Int($0) / 4 } + [4095]
    var curve = [0]
    for segment in 0..<5 {
      for _ in ends[segment]..<ends[segment + 1] {
        curve.append((curve.last ?? 0) + 1 << segment)
      }
    }
    return (0..<2048).map { UInt16(curve[2 * $0]) }
  }()

  init(_ raw: CameraContainer) throws(CameraContainer.Problem) {
    try raw.require(raw.size.width % 32 == 0, "rows must be a multiple of 32 columns")
    decoded = raw.samples
    // Values above 14 bits are not used.
    let codes = CodeSearch(Self.values.filter { $0 <= 16_383 })
    for y in 0..<raw.size.height {
      for x in stride(from: 0, to: raw.size.width, by: 32) {
        for parity in 0...1 {
          let positions = (0..<16).map { y * raw.size.width + x + 2 * $0 + parity }
          add(positions.map { codes.nearest(raw.samples[$0]) }, at: positions)
        }
      }
    }
  }

  private mutating func add(_ codes: [Int], at positions: [Int]) {
    let (high, low) = (codes.max() ?? 0, codes.min() ?? 0)
    let highest = codes.firstIndex(of: high) ?? 0
    // Of a block of one value, another sample is the smallest.
    let lowest = codes.indices.first { codes[$0] == low && $0 != highest } ?? 1
    let shift = (0..<4).first { 0x80 << $0 > high - low } ?? 4
    var sink = LowBitSink()
    sink.put(UInt32(high), 11)
    sink.put(UInt32(low), 11)
    sink.put(UInt32(highest), 4)
    sink.put(UInt32(lowest), 4)
    for (i, code) in codes.enumerated() {
      var read = code
      if i != highest, i != lowest {
        let step = min((code - low + (1 << shift) / 2) >> shift, 127)
        sink.put(UInt32(step), 7)
        read = min(low + step << shift, 2047)
      }
      decoded[positions[i]] = Self.values[read]
    }
    bytes += sink.bytes
  }
}

/// Finds the nearest of ascending values.
struct CodeSearch {
  private let values: [UInt16]

  init(_ values: [UInt16]) { self.values = values }

  func nearest(_ value: UInt16) -> Int {
    var (low, high) = (0, values.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < value { low = middle + 1 } else { high = middle }
    }
    if low > 0, Int(value) - Int(values[low - 1]) < Int(values[low]) - Int(value) { return low - 1 }
    return low
  }
}
