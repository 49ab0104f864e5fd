import CKernels
import Codecs
import Containers

/// Lossless JPEG for raw pictures in DNG: ITU-T T.81 (1992) annex H, process SOF3, predictor 1
/// (the sample to the left), no point transform, an optimal Huffman table for each component.
///
/// Samples of 16 bits; a row is `components` interleaved samples wide. For a Bayer mosaic two
/// components make the left neighbor one of the same color, as in Adobe's converter. Only predictor
/// 1, since darktable's decoder and others support no other in DNGs. Lossless for all values.
struct LosslessJPEGEncoder {
  private static let bits = 16
  private static let categories = 17
  private static let longest = 16

  /// Samples per row of all components, a multiple of `components`.
  let count: Int
  let rows: Int
  let components: Int

  private func withTile<R>(
    _ samples: UnsafePointer<UInt16>, _ body: (UnsafePointer<ck_losslessTile>) -> R
  ) -> R {
    var tile = unsafe ck_losslessTile(
      samples: samples, count: Int64(count), rows: Int64(rows), components: Int64(components),
      first: 1 << UInt16(Self.bits - 1))
    return unsafe body(&tile)
  }

  /// Number of differences of each category, component after component.
  private func counts(_ samples: UnsafePointer<UInt16>) -> [Int64] {
    var counts = [Int64](repeating: 0, count: Self.categories * components)
    unsafe withTile(samples) { unsafe ck_losslessCategories($0, &counts) }
    return counts
  }

  /// Bits needed for `samples` without headers, by the entropy of their categories.
  func estimate(_ samples: UnsafePointer<UInt16>) -> Double {
    let counts = unsafe counts(samples)
    return (0..<components).reduce(0.0) { sum, component in
      let own = counts[Self.categories * component..<Self.categories * (component + 1)]
      let tables = Table(own)
      return sum + Double(tables.bitCount(own))
    }
  }

  /// Encodes `samples`, row by row.
  func encode(_ samples: UnsafePointer<UInt16>) -> [UInt8] {
    let counts = unsafe counts(samples)
    let tables = (0..<components).map {
      Table(counts[Self.categories * $0..<Self.categories * ($0 + 1)])
    }
    let codes = tables.flatMap(\.codes)
    let bitCount = zip(tables.indices, tables).reduce(0) { sum, part in
      sum + part.1.bitCount(counts[Self.categories * part.0..<Self.categories * (part.0 + 1)])
    }
    let header = header(tables)
    // Each byte may be 0xFF, which is followed by a 0.
    let room = header.count + 2 * (bitCount / 8 + 1) + 16
    return unsafe [UInt8](unsafeUninitializedCapacity: room) { target, made in
      guard let start = target.baseAddress else { return }
      unsafe start.initialize(from: header, count: header.count)
      var coded: Int64 = 0
      unsafe withTile(samples) {
        unsafe ck_losslessBits($0, codes, start + header.count, &coded)
      }
      let end = header.count + Int(coded)
      unsafe target[end] = 0xFF
      unsafe target[end + 1] = 0xD9
      made = end + 2
    }
  }

  /// Everything before the coded samples.
  private func header(_ tables: [Table]) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { UInt16(clamping: value).bytes(bigEndian: true) }
    var out: [UInt8] = [0xFF, 0xD8]
    for (index, table) in tables.enumerated() {
      out += [0xFF, 0xC4] + word(19 + table.symbols.count) + [UInt8(index)]
      out += table.lengths + table.symbols
    }
    out += [0xFF, 0xC3] + word(8 + 3 * components) + [UInt8(Self.bits)]
    out += word(rows) + word(count / components) + [UInt8(components)]
    for component in 0..<components { out += [UInt8(component), 0x11, 0] }
    out += [0xFF, 0xDA] + word(6 + 2 * components) + [UInt8(components)]
    for component in 0..<components { out += [UInt8(component), UInt8(component << 4)] }
    return out + [1, 0, 0]
  }

  /// A Huffman table (annex C and K.2): the code of all ones is reserved for an unused symbol.
  struct Table {
    /// Number of codes with 1 to 16 bits.
    let lengths: [UInt8]
    /// Categories, by code.
    let symbols: [UInt8]
    /// Codes by category.
    let codes: [ck_losslessCode]

    /// The optimal table for these category counts.
    init(_ counts: ArraySlice<Int64>) {
      let weights = counts.map { Int($0) * 2 } + [1]
      let bits = HuffmanLengths.lengths(weights, longest: LosslessJPEGEncoder.longest)
      var codes = [ck_losslessCode](
        repeating: ck_losslessCode(), count: LosslessJPEGEncoder.categories)
      var lengths = [UInt8](repeating: 0, count: LosslessJPEGEncoder.longest)
      var symbols: [UInt8] = []
      var next: UInt32 = 0
      for length in 1...UInt8(LosslessJPEGEncoder.longest) {
        next <<= 1
        for symbol in 0..<LosslessJPEGEncoder.categories where bits[symbol] == length {
          // Category 16 is −32768, without bits of value.
          let extra = symbol == 16 ? 0 : UInt32(symbol)
          codes[symbol] = ck_losslessCode(bits: next << extra, length: UInt32(length) + extra)
          lengths[Int(length) - 1] += 1
          symbols.append(UInt8(symbol))
          next += 1
        }
      }
      (self.codes, self.lengths, self.symbols) = (codes, lengths, symbols)
    }

    /// Total bits of differences with these category counts.
    func bitCount(_ counts: ArraySlice<Int64>) -> Int {
      zip(counts, codes).reduce(0) { $0 + Int($1.0) * Int($1.1.length) }
    }
  }
}
