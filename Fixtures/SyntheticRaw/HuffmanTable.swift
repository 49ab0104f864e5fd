/// The shortest Huffman table for a lossless JPEG component: ITU-T T.81 (1992) annex K.2, with the
/// all-ones code left free and no code longer than 16 bits.
struct HuffmanTable {
  /// Number of codes of 1…16 bits.
  private(set) var lengths = [UInt8](repeating: 0, count: 16)
  /// Symbols in order of their codes.
  private(set) var symbols: [UInt8] = []
  /// Code of each symbol.
  private(set) var codes = [UInt32](repeating: 0, count: 17)
  /// Bits of the code of each symbol, 0 for none.
  private(set) var bits = [UInt32](repeating: 0, count: 17)

  /// The table for difference categories 0…16 that occur `counts` times.
  init(counts: [Int]) {
    var frequency = counts.map { $0 } + [1]
    if counts.allSatisfy({ $0 == 0 }) { frequency[0] = 1 }
    var size = [Int](repeating: 0, count: frequency.count)
    var next = [Int?](repeating: nil, count: frequency.count)
    while true {
      // The two rarest trees; ties go to the higher symbol, so the reserved one stays deepest.
      let order = frequency.indices.filter { frequency[$0] > 0 }.sorted {
        (frequency[$0], -$0) < (frequency[$1], -$1)
      }
      guard order.count > 1 else { break }
      let (low, second) = (order[0], order[1])
      frequency[second] += frequency[low]
      frequency[low] = 0
      var node = second
      size[node] += 1
      while let n = next[node] {
        node = n
        size[node] += 1
      }
      next[node] = low
      node = low
      size[node] += 1
      while let n = next[node] {
        node = n
        size[node] += 1
      }
    }
    assign(size)
  }

  private mutating func assign(_ size: [Int]) {
    var perLength = [Int](repeating: 0, count: 33)
    for s in size where s > 0 { perLength[s] += 1 }
    var length = 32
    while length > 16 {
      while perLength[length] > 0 {
        var shorter = length - 2
        while perLength[shorter] == 0 { shorter -= 1 }
        perLength[length] -= 2
        perLength[length - 1] += 1
        perLength[shorter + 1] += 2
        perLength[shorter] -= 1
      }
      length -= 1
    }
    while perLength[length] == 0 { length -= 1 }
    perLength[length] -= 1
    // The reserved symbol is the last index; it takes the longest code, which is dropped here.
    let ordered = size.indices.dropLast().filter { size[$0] > 0 }.sorted {
      (size[$0], $0) < (size[$1], $1)
    }
    symbols = ordered.map { UInt8($0) }
    var code: UInt32 = 0
    var taken = 0
    for length in 1...16 {
      lengths[length - 1] = UInt8(perLength[length])
      for _ in 0..<perLength[length] {
        codes[ordered[taken]] = code
        bits[ordered[taken]] = UInt32(length)
        code += 1
        taken += 1
      }
      code <<= 1
    }
  }
}
