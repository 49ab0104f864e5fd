/// Lossless JPEG as DNG stores raw data: ITU-T T.81 (1992) annex H, process SOF3, predictor 1 (the
/// sample to the left), no point transform, one optimal Huffman table for each component.
///
/// Exact for samples of up to `bits` bits, 2…16. A difference of −32768 is category 16 without
/// further bits. Rows are `components` interleaved samples wide; for a Bayer mosaic two components
/// make the left neighbor one of the same color.
struct LosslessJPEG {
  /// Samples in a row of one component.
  let columns: Int
  let rows: Int
  let components: Int
  let bits: Int

  /// The stream for `rows` rows of `columns · components` samples.
  func encode(_ samples: [UInt16], stride: Int) -> [UInt8] {
    var histogram = [Int](repeating: 0, count: 17 * components)
    forEachDifference(samples, stride: stride) { component, category, _ in
      histogram[component &* 17 &+ category] &+= 1
    }
    let tables = (0..<components).map {
      HuffmanTable(counts: Array(histogram[($0 * 17)..<($0 * 17 + 17)]))
    }
    let codes = tables.flatMap(\.codes)
    let lengths = tables.flatMap(\.bits)
    var sink = BitSink(bytes: header(tables), isStuffed: true)
    forEachDifference(samples, stride: stride) { component, category, extra in
      let i = component &* 17 &+ category
      sink.put(codes[i], lengths[i])
      if category > 0 && category < 16 { sink.put(extra, UInt32(category)) }
    }
    sink.finish()
    return sink.bytes + [0xFF, 0xD9]
  }

  /// Calls `body(component, category, extra bits)` for each sample in stream order.
  private func forEachDifference(
    _ samples: [UInt16], stride: Int, _ body: (Int, Int, UInt32) -> Void
  ) {
    for y in 0..<rows {
      let row = y * stride
      for x in 0..<columns {
        for c in 0..<components {
          let i = row &+ x &* components &+ c
          let left: UInt16
          if x > 0 {
            left = samples[i &- components]
          } else if y > 0 {
            left = samples[i &- stride]
          } else {
            left = 1 << UInt16(bits - 1)
          }
          let difference = Int32(Int16(bitPattern: samples[i] &- left))
          let magnitude = difference.magnitude
          let category = 32 &- magnitude.leadingZeroBitCount
          let extra = UInt32(bitPattern: difference < 0 ? difference &- 1 : difference)
          body(c, category, extra & ((1 &<< UInt32(category)) &- 1))
        }
      }
    }
  }

  /// All up to the coded samples.
  func header(_ tables: [HuffmanTable]) -> [UInt8] {
    var out = ByteStream(order: .big)
    out.append(UInt16(0xFFD8))
    for (i, table) in tables.enumerated() {
      out.append(UInt16(0xFFC4))
      out.append(UInt16(19 + table.symbols.count))
      out.bytes.append(UInt8(i))
      out.bytes += table.lengths + table.symbols
    }
    out.append(UInt16(0xFFC3))
    out.append(UInt16(8 + 3 * components))
    out.bytes.append(UInt8(bits))
    out.append(UInt16(rows))
    out.append(UInt16(columns))
    out.bytes.append(UInt8(components))
    for c in 0..<components { out.bytes += [UInt8(c), 0x11, 0] }
    out.append(UInt16(0xFFDA))
    out.append(UInt16(6 + 2 * components))
    out.bytes.append(UInt8(components))
    for c in 0..<components { out.bytes += [UInt8(c), UInt8(c << 4)] }
    out.bytes += [1, 0, 0]
    return out.bytes
  }
}
