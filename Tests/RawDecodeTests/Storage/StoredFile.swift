import ImageCore

@testable import RawDecode
@testable import SyntheticRaw

/// A DNG with one picture in any supported storage, written straightforwardly to test the decoders.
struct StoredFile {
  var size = PixelSize(width: 23, height: 19)
  var samplesPerPixel = 1
  var bits = 16
  var isFloat = false
  var bigEndian = false
  var compression = 1
  var predictor = 1
  /// Columns and rows of a tile; nil for strips.
  var tile: PixelSize? = PixelSize(width: 16, height: 8)
  var rowsPerStrip = 7
  var isPlanar = false
  var rowFields = 1
  var columnFields = 1
  var block = PixelSize(width: 1, height: 1)
  /// Additional tags, all LONG.
  var tags: [UInt16: [Int]] = [:]
  /// The bits of each sample, row by row, samples of a pixel interleaved.
  var codes: [UInt32] = []

  /// Fills in pseudorandom numbers.
  mutating func fill(_ numbers: inout TestNumbers) {
    let count = size.area * samplesPerPixel
    codes = numbers.samples(count, bits: min(bits, 16)).map { UInt32($0) }
    if bits > 16 {
      let low = numbers.samples(count, bits: 16)
      codes = zip(codes, low).map { $0 << UInt32(bits - 16) ^ UInt32($1) }
      let mask: UInt32 = bits == 32 ? .max : 1 << UInt32(bits) - 1
      codes = codes.map { $0 & mask }
    }
  }

  private var adjacent: Int { isPlanar ? 1 : samplesPerPixel }
  private var chunkSize: PixelSize {
    tile ?? PixelSize(width: size.width, height: rowsPerStrip)
  }

  /// The numbers of each tile or strip in storage order.
  private var parts: [[UInt32]] {
    func order(_ count: Int, _ fields: Int) -> [Int] {
      (0..<fields).flatMap { first in (0..<count).filter { $0 % fields == first } }
    }
    let (rows, columns) = (order(size.height, rowFields), order(size.width, columnFields))
    let chunk = chunkSize
    var parts: [[UInt32]] = []
    for plane in 0..<(isPlanar ? samplesPerPixel : 1) {
      for top in stride(from: 0, to: size.height, by: chunk.height) {
        for left in stride(from: 0, to: size.width, by: chunk.width) {
          let height = tile == nil ? min(chunk.height, size.height - top) : chunk.height
          var part: [UInt32] = []
          for blockTop in stride(from: 0, to: height, by: block.height) {
            for blockLeft in stride(from: 0, to: chunk.width, by: block.width) {
              for y in blockTop..<blockTop + block.height {
                for x in blockLeft..<blockLeft + block.width {
                  for c in 0..<adjacent {
                    let (row, column) = (top + y, left + x)
                    guard row < size.height, column < size.width else {
                      part.append(0)
                      continue
                    }
                    let pixel = rows[row] * size.width + columns[column]
                    part.append(codes[pixel * samplesPerPixel + plane + c])
                  }
                }
              }
            }
          }
          parts.append(part)
        }
      }
    }
    return parts
  }

  /// The uncompressed bytes of a part: rows with predictor.
  private func plainBytes(_ part: [UInt32]) -> [UInt8] {
    let perRow = chunkSize.width * adjacent
    return stride(from: 0, to: part.count, by: perRow).flatMap { first in
      rowBytes(Array(part[first..<first + perRow]))
    }
  }

  private func rowBytes(_ row: [UInt32]) -> [UInt8] {
    let distance =
      adjacent * ([34892: 2, 34894: 2, 34893: 4, 34895: 4][predictor] ?? 1)
    func bigBytes(_ code: UInt32) -> [UInt8] {
      (0..<bits / 8).reversed().map { UInt8(truncatingIfNeeded: code >> UInt32(8 * $0)) }
    }
    if [3, 34894, 34895].contains(predictor) {
      let planes = (0..<bits / 8).flatMap { byte in row.map { bigBytes($0)[byte] } }
      return planes.indices.map {
        $0 < distance ? planes[$0] : planes[$0] &- planes[$0 - distance]
      }
    }
    var row = row
    if predictor != 1 {
      row = row.indices.map { $0 < distance ? row[$0] : row[$0] &- row[$0 - distance] }
    }
    if [8, 16, 32].contains(bits) || isFloat {
      return row.flatMap { bigEndian ? bigBytes($0) : bigBytes($0).reversed() }
    }
    var out = [UInt8](repeating: 0, count: (row.count * bits + 7) / 8)
    for (i, code) in row.enumerated() {
      for bit in 0..<bits where code >> UInt32(bits - 1 - bit) & 1 == 1 {
        out[(i * bits + bit) / 8] |= 0x80 >> UInt8((i * bits + bit) % 8)
      }
    }
    return out
  }

  /// The compressed bytes of each tile or strip.
  var chunks: [[UInt8]] {
    get throws {
      try parts.map { part in
        let columns = chunkSize.width
        let rows = part.count / adjacent / columns
        switch compression {
        case 8: return StoredEncoder.deflate(plainBytes(part))
        case 7:
          let stream = LosslessJPEGStream(
            columns: columns, rows: rows, components: adjacent, bits: bits)
          return stream.encode(part.map { UInt16($0) })
        case 9:
          let size = PixelSize(width: columns, height: rows)
          var file = DNGWriter(
            size: size, layout: .mosaic(.bayer(.rggb)), samples: part.map { UInt16($0) })
          file.compression = .vc5
          return try file.imageChunks()[0]
        case 52546:
          return try StoredEncoder.jpegXL(
            part, PixelSize(width: columns, height: rows), samples: adjacent, bits: bits,
            isFloat: isFloat)
        case 34892:
          return try StoredEncoder.jpeg(
            part.map { UInt8($0) }, PixelSize(width: columns, height: rows), samples: adjacent)
        default: return plainBytes(part)
        }
      }
    }
  }

  /// The file; `change` may damage its chunks.
  func bytes(_ change: (inout [[UInt8]]) -> Void = { _ in }) throws -> [UInt8] {
    var chunks = try chunks
    change(&chunks)
    var fields: [UInt16: [Int]] = [
      254: [0], 256: [size.width], 257: [size.height],
      258: [Int](repeating: bits, count: samplesPerPixel), 259: [compression], 262: [34892],
      277: [samplesPerPixel], 284: [isPlanar ? 2 : 1], 317: [predictor],
      339: [Int](repeating: isFloat ? 3 : 1, count: samplesPerPixel), 50706: [1, 7, 1, 0],
      50707: [1, 7, 1, 0], 50974: [block.height, block.width], 50975: [rowFields],
      52547: [columnFields],
    ]
    if let tile { fields[322] = [tile.width] } else { fields[278] = [rowsPerStrip] }
    if let tile { fields[323] = [tile.height] }
    fields.merge(tags) { $1 }
    let starts: UInt16 = tile == nil ? 273 : 324
    fields[starts] = chunks.map { _ in 0 }
    let counts: UInt16 = tile == nil ? 279 : 325
    fields[counts] = tags[counts] ?? chunks.map(\.count)
    var offset = 8 + 2 + 12 * fields.count + 4
    offset += fields.values.filter { $0.count > 1 }.reduce(0) { $0 + 4 * $1.count }
    fields[starts] = chunks.map { chunk in
      defer { offset += chunk.count }
      return offset
    }
    func word(_ value: Int, _ width: Int) -> [UInt8] {
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return bigEndian ? bytes.reversed() : bytes
    }
    var out: [UInt8] = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42, 2) + word(8, 4)
    out += word(fields.count, 2)
    var values: [UInt8] = []
    let valuesStart = 8 + 2 + 12 * fields.count + 4
    for (tag, numbers) in fields.sorted(by: { $0.key < $1.key }) {
      out += word(Int(tag), 2) + word(4, 2) + word(numbers.count, 4)
      if numbers.count == 1 {
        out += word(numbers[0], 4)
      } else {
        out += word(valuesStart + values.count, 4)
        values += numbers.flatMap { word($0, 4) }
      }
    }
    return out + word(0, 4) + values + chunks.flatMap { $0 }
  }

  /// The expected decoder output.
  var expected: [Float] {
    codes.map { code in
      guard isFloat else { return Float(code) }
      let (exponentBits, fractionBits) = [16: (5, 10), 24: (7, 16)][bits] ?? (8, 23)
      let exponent = Int(code >> UInt32(fractionBits)) & (1 << exponentBits - 1)
      let bias = 1 << (exponentBits - 1) - 1
      if exponent == 1 << exponentBits - 1 { return 0 }
      let fraction = Double(code & (1 << UInt32(fractionBits) - 1))
      let scale = Double(sign: .plus, exponent: -fractionBits, significand: 1)
      let significand = exponent == 0 ? fraction * scale : 1 + fraction * scale
      let value = Double(
        sign: code >> UInt32(bits - 1) == 0 ? .plus : .minus, exponent: max(exponent, 1) - bias,
        significand: 1)
      return Float(value * significand)
    }
  }
}
