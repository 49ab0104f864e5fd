import ImageCore
import SyntheticRaw

@testable import Containers
@testable import RawDecode

/// A lossless JPEG encoder for tests, sample by sample, for every process that ITU-T T.81 annex H
/// allows.
struct LosslessJPEGStream {
  /// Huffman codes for categories 0 to 16.
  enum Code {
    /// Codes of 5 bits each.
    case flat
    /// One more bit for each category, up to 16 bits.
    case unary

    var counts: [UInt8] {
      switch self {
      case .flat: [0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 11)
      case .unary: [UInt8](repeating: 1, count: 15) + [2]
      }
    }

    func code(_ category: Int) -> (bits: Int, length: Int) {
      switch self {
      case .flat: (category, 5)
      case .unary:
        category < 16 ? ((1 << category - 1) << 1, category + 1) : (0xFFFF, 16)
      }
    }
  }

  var columns: Int
  var rows: Int
  var components = 1
  var bits = 16
  var predictor = 1
  var restartRows = 0
  var pointTransform = 0
  /// The tables, assigned to components cyclically.
  var codes: [Code] = [.flat]
  /// Whether category 16 has 16 bits of value.
  var extended = false

  /// The stream of `samples`, row by row.
  func encode(_ samples: [UInt16]) -> [UInt8] {
    var out = header
    var pending = 0
    var count = 0
    func put(_ value: Int, _ length: Int) {
      for bit in (0..<length).reversed() {
        pending = pending << 1 | (value >> bit) & 1
        count += 1
        guard count == 8 else { continue }
        out.append(UInt8(pending))
        if pending == 0xFF { out.append(0) }
        (pending, count) = (0, 0)
      }
    }
    for y in 0..<rows {
      let isFirst = y == 0 || restartRows > 0 && y % restartRows == 0
      if y > 0, isFirst {
        while count > 0 { put(1, 1) }
        out += [0xFF, UInt8(0xD0 + (y / restartRows - 1) % 8)]
      }
      for x in 0..<columns {
        for c in 0..<components {
          func at(_ dx: Int, _ dy: Int) -> Int {
            Int(samples[((y + dy) * columns + x + dx) * components + c])
          }
          let prediction: Int
          switch (x, isFirst, predictor) {
          case (0, true, _): prediction = 1 << (bits - pointTransform - 1)
          case (0, false, _): prediction = at(0, -1)
          case (_, true, _), (_, _, 1): prediction = at(-1, 0)
          case (_, _, 2): prediction = at(0, -1)
          case (_, _, 3): prediction = at(-1, -1)
          case (_, _, 4): prediction = at(-1, 0) + at(0, -1) - at(-1, -1)
          case (_, _, 5): prediction = at(-1, 0) + (at(0, -1) - at(-1, -1)) >> 1
          case (_, _, 6): prediction = at(0, -1) + (at(-1, 0) - at(-1, -1)) >> 1
          default: prediction = (at(-1, 0) + at(0, -1)) >> 1
          }
          // −32767 … 32768, as in H.1.2.1.
          var difference = Int(Int16(truncatingIfNeeded: at(0, 0) - prediction))
          if difference == -32768 { difference = 32768 }
          let magnitude = abs(difference)
          let category = Int.bitWidth - magnitude.leadingZeroBitCount
          let code = codes[c % codes.count].code(category)
          put(code.bits, code.length)
          if category < 16 || extended {
            put(difference < 0 ? difference - 1 : difference, category)
          }
        }
      }
    }
    while count > 0 { put(1, 1) }
    return out + [0xFF, 0xD9]
  }

  /// Everything before the entropy-coded bytes.
  var header: [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    var out: [UInt8] = [0xFF, 0xD8]
    for (index, code) in codes.enumerated() {
      out += [0xFF, 0xC4, 0, 36, UInt8(index)] + code.counts + (0...16).map { UInt8($0) }
    }
    if restartRows > 0 { out += [0xFF, 0xDD, 0, 4] + word(restartRows * columns) }
    out += [0xFF, 0xC3] + word(8 + 3 * components) + [UInt8(bits)] + word(rows) + word(columns)
    out.append(UInt8(components))
    for c in 0..<components { out += [UInt8(c), 0x11, 0] }
    out += [0xFF, 0xDA] + word(6 + 2 * components) + [UInt8(components)]
    for c in 0..<components { out += [UInt8(c), UInt8(c % codes.count) << 4] }
    return out + [UInt8(predictor), 0, UInt8(pointTransform)]
  }
}

extension DNGWriter {
  /// The file with `stream` as its only strip.
  func bytes(holding stream: [UInt8], compression: UInt16 = 7) throws -> [UInt8] {
    var writer = self
    writer.compression = .none
    writer.bitsPerSample = 16
    writer.additionalFields[259] = .shorts([compression])
    var bytes = try writer.bytes
    guard let tiff = try TIFFFile(FileBytes(bytes)), let start = tiff.first[273]?.integer,
      let count = tiff.first[279]?.offset
    else { throw RAWError(.damaged, .open, "no strip") }
    bytes = bytes.prefix(start) + stream
    for i in 0..<4 {
      let shift = byteOrder == .little ? 8 * i : 24 - 8 * i
      bytes[count + i] = UInt8(truncatingIfNeeded: stream.count >> shift)
    }
    return bytes
  }
}

/// Deterministic pseudorandom numbers.
struct TestNumbers {
  var state: UInt64

  mutating func next(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  /// A surface with noise and occasional jumps over the full range.
  mutating func samples(_ count: Int, bits: Int) -> [UInt16] {
    let limit = 1 << bits
    var level = limit / 2
    return (0..<count).map { _ in
      let jump = next(17)
      level = jump == 0 ? next(limit) : level + next(64) - 32
      level = min(max(level, 0), limit - 1)
      return UInt16(level)
    }
  }
}

extension RawFile {
  /// Whether the lossless JPEG decoder for DNG accepts this file.
  var isLosslessJPEG: Bool {
    if case .stored(let picture) = decoder { picture.storage.compression == 7 } else { false }
  }

  /// Whether the decoder for CR2 accepts this file.
  var isCanonRaw: Bool {
    decoder.isOwn(CanonRawDecoder.self)
  }
}

extension SensorData {
  /// All samples, row by row.
  var allNumbers: [Float] {
    (0..<samples.rows).flatMap { y -> [Float] in
      switch samples.format {
      case .uint16: (0..<samples.stride).map { Float(samples.counts(row: y)[$0]) }
      case .float32: (0..<samples.stride).map { samples.floats(row: y)[$0] }
      }
    }
  }

  /// All samples, row by row; none for floats.
  var allCounts: [UInt16] {
    samples.format == .uint16 ? allNumbers.map { UInt16($0) } : []
  }
}
