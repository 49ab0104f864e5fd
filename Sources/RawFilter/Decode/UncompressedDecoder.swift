import ImageCore

/// DNG pictures stored as plain numbers: 8 or 16-bit integers, of which LibRaw 0.20 reads only strips
/// and takes three times as long, and strips or tiles of 16, 24 or 32-bit floats (DNG 1.7.1 chapter 3). A 24-bit float has 1 sign,
/// 7 exponent (bias 63) and 16 fraction bits.
enum UncompressedDecoder {
  static func decode(
    _ tags: DNGTags, _ file: FileBytes, layout: SensorData.Layout
  ) throws(RAWError) -> SensorData {
    let storage = tags.storage
    let perPixel = storage.samplesPerPixel
    let area = tags.activeArea
    let width = storage.bitsPerSample / 8
    let tiles = TileGrid(storage)
    let samples = try RawSamples(
      format: storage.isFloat ? .float32 : .uint16, stride: area.width * perPixel,
      rows: area.height
    ) { (target: UnsafeMutableRawPointer) throws(RAWError) in
      for index in 0..<tiles.count {
        let chunk = storage.chunks[index]
        let rect = tiles.rect(index)
        // Strips end with the picture; tiles are whole.
        let rows = storage.isTiled ? rect.height : min(rect.height, storage.size.height - rect.y)
        guard chunk.bytes >= rect.width * rows * perPixel * width else {
          throw RAWError(
            .damaged, .decode, "a part of its pixel data is too short; copy the file again",
            path: file.path)
        }
        let part = rect.intersection(area)
        for y in part.y..<max(part.endY, part.y) {
          let from =
            chunk.offset + ((y - rect.y) * rect.width + part.x - rect.x) * perPixel * width
          let to = ((y - area.y) * area.width + part.x - area.x) * perPixel
          if storage.isFloat {
            let row = target.assumingMemoryBound(to: Float.self) + to
            for i in 0..<part.width * perPixel {
              row[i] = float(file, from + i * width, width, tags.bigEndian)
            }
          } else {
            copyIntegers(
              file, from, width, tags, count: part.width * perPixel,
              to: target.assumingMemoryBound(to: UInt16.self) + to)
          }
        }
      }
    }
    return SensorData(
      size: area.size, layout: layout, samples: samples, levels: tags.levels.sensor)
  }

  /// `count` integers of `width` bytes, through the linearisation table where there is one.
  private static func copyIntegers(
    _ file: FileBytes, _ offset: Int, _ width: Int, _ tags: DNGTags, count: Int,
    to row: UnsafeMutablePointer<UInt16>
  ) {
    let source = UnsafeRawBufferPointer(rebasing: file.buffer[offset..<offset + count * width])
    if width == 2 {
      UnsafeMutableRawBufferPointer(start: row, count: count * 2).copyMemory(from: source)
      if tags.bigEndian { for i in 0..<count { row[i] = row[i].byteSwapped } }
    } else {
      for i in 0..<count { row[i] = UInt16(source[i]) }
    }
    let table = tags.linearizationTable
    guard let last = table.indices.last else { return }
    table.withUnsafeBufferPointer { table in
      for i in 0..<count { row[i] = table[min(Int(row[i]), last)] }
    }
  }

  /// One float; what is no number becomes 0.
  @inline(__always)
  private static func float(
    _ file: FileBytes, _ offset: Int, _ width: Int, _ bigEndian: Bool
  ) -> Float {
    let value: Float
    switch width {
    case 2:
      value = half(file.integer(UInt16.self, at: offset, bigEndian: bigEndian) ?? 0)
    case 3:
      let b = (0..<3).map { UInt32(file.buffer[offset + (bigEndian ? $0 : 2 - $0)]) }
      let bits = b[0] << 16 | b[1] << 8 | b[2]
      let exponent = bits >> 16 & 0x7F
      let sign: Float = bits >> 23 == 0 ? 1 : -1
      let fraction = Float(bits & 0xFFFF) / 65536
      value =
        exponent == 0
        ? sign * fraction * Float(sign: .plus, exponent: -62, significand: 1)
        : sign * Float(sign: .plus, exponent: Int(exponent) - 63, significand: 1 + fraction)
    default:
      value = Float(
        bitPattern: file.integer(UInt32.self, at: offset, bigEndian: bigEndian) ?? 0)
    }
    return value.isFinite ? value : 0
  }

  /// IEEE 754 half precision: 1 sign, 5 exponent (bias 15), 10 fraction bits.
  private static func half(_ bits: UInt16) -> Float {
    let exponent = Int(bits >> 10 & 0x1F)
    let fraction = Float(bits & 0x3FF) / 1024
    let sign: Float = bits >> 15 == 0 ? 1 : -1
    if exponent == 31 { return .infinity }
    return exponent == 0
      ? sign * fraction * Float(sign: .plus, exponent: -14, significand: 1)
      : sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
  }
}
