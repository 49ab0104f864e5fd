import ImageCore

/// Phase One's IIQ: a TIFF that names the camera, with a structure of its own at 8: `IIII`, `Raw`,
/// the offset of a list of tags of 16 bytes each (number, type, length, value or offset): rotation
/// (0x100), white balance (0x107), stored size (0x108, 0x109), border and picture (0x10A…0x10D),
/// storage (0x10E), offset of the samples (0x10F), keys (0x112), offsets of the rows (0x21C), black
/// (0x21D), the back's name (0x301). Offsets count from the structure.
///
/// * Raw (storage 1): 16-bit words; pairs are mixed under a mask and with two keys.
/// * L (3) and L16 (8): rows of groups of 8 columns; for each column parity the number of bits of
///   the group's differences, 5…13, or 14 for 16 bits of the sample itself, in little-endian words
///   of 32 bits. L holds 14 bits, which are read times 4.
///
/// Sources: published analyses (dcraw's phase_one decoders; rawspeed's IiqDecoder).
struct PhaseOneIIQ {
  let raw: CameraContainer

  private static let keys: (UInt16, UInt16) = (0x3C5A, 0x96E1)
  /// Number of bits for a position in the table of lengths.
  private static let lengths = [8, 7, 6, 9, 11, 10, 5, 12, 14, 13]
  /// Where the structure begins.
  private static let base = 8

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    var data: [UInt8]
    var offsets = ByteStream(order: .little)
    var samples = raw.samples
    let storage: UInt32
    switch raw.coding {
    case .iiqRaw: (storage, data) = (1, mixed)
    default:
      let isWide = raw.coding == .iiqL16
      try raw.require(raw.bits <= (isWide ? 16 : 14), "too many bits")
      storage = isWide ? 8 : 3
      data = []
      for y in 0..<raw.size.height {
        offsets.append(UInt32(data.count))
        data += coded(raw.row(y).map { Int($0) })
      }
      if !isWide { samples = samples.map { $0 << 2 } }
    }

    var facts: [(number: UInt32, type: UInt32, length: UInt32, value: UInt32)] = []
    var blocks: [UInt8] = []
    let count = 16
    // Magic and offset, then the list, then what is longer than a value.
    let listAt = 16
    let blocksAt = listAt + 8 + count * 16
    func value(_ number: UInt32, _ value: Int) { facts.append((number, 1, 4, UInt32(value))) }
    func block(_ number: UInt32, _ type: UInt32, _ bytes: [UInt8]) {
      facts.append((number, type, UInt32(bytes.count), UInt32(blocksAt + blocks.count)))
      blocks += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    let turns: [Orientation: Int] = [.right: 1, .left: 2, .down: 3]
    value(0x100, turns[raw.orientation] ?? 0)
    var gains = ByteStream(order: .little)
    for i in 0..<3 { gains.append(Float(raw.gains[i]).bitPattern) }
    block(0x107, 3, gains.bytes)
    value(0x108, raw.size.width)
    value(0x109, raw.size.height)
    value(0x10A, raw.area.x)
    value(0x10B, raw.area.y)
    value(0x10C, raw.area.width)
    value(0x10D, raw.area.height)
    value(0x10E, Int(storage))
    let dataFact = facts.count
    value(0x10F, 0)
    value(0x112, Int(Self.keys.0) | Int(Self.keys.1) << 16)
    block(0x21C, 1, offsets.bytes)
    // In the units of what is read.
    value(0x21D, Int(raw.black[0]) << (raw.coding == .iiqL ? 2 : 0))
    block(0x102, 2, Array("AB012345".utf8))
    let name = Array("\(raw.model) camera, Serial 012345, firmware 1.0".utf8)
    block(0x301, 2, name + [UInt8](repeating: 0, count: 256 - name.count))
    value(0x211, 0)
    facts[dataFact].value = UInt32(blocksAt + blocks.count)

    var own = ByteStream(order: .little)
    own.bytes = Array("IIIITwaR".utf8)
    own.append(UInt32(listAt))
    own.append(UInt32(0))
    own.append(UInt32(facts.count))
    own.append(UInt32(0))
    for fact in facts {
      for number in [fact.number, fact.type, fact.length, fact.value] { own.append(number) }
    }
    own.bytes += blocks + data
    let start = (Self.base + own.bytes.count + 1) & ~1
    let bytes = try raw.camera.file(order: .little, start: start) { _ in own.bytes }
    return CameraContainer.Written(bytes: bytes, samples: samples)
  }

  /// Storage 1: of each pair, bits of the mask stay and the others swap positions, each with its
  /// key.
  private var mixed: [UInt8] {
    let mask: UInt16 = 0x5555
    var out = ByteStream(order: .little)
    for i in stride(from: 0, to: raw.samples.count, by: 2) {
      let (a, b) = (raw.samples[i], i + 1 < raw.samples.count ? raw.samples[i + 1] : 0)
      out.append((a & mask | b & ~mask) ^ Self.keys.0)
      out.append((b & mask | a & ~mask) ^ Self.keys.1)
    }
    return out.bytes
  }

  private func coded(_ row: [Int]) -> [UInt8] {
    var sink = BitSink()
    var last = [0, 0]
    for left in stride(from: 0, to: row.count, by: 8) {
      let columns = left..<min(left + 8, row.count)
      // A rest of less than 8 has no lengths.
      var lengths = [14, 14]
      if columns.count == 8 {
        for parity in 0...1 {
          var before = last[parity]
          let needed = stride(from: left + parity, to: columns.upperBound, by: 2).map { x -> Int in
            defer { before = row[x] }
            let d = row[x] - before
            // Bits n hold 1 − 2ⁿ⁻¹…2ⁿ⁻¹.
            return (5...13).first { length in
              let most = 1 << (length - 1)
              return d > -most && d <= most
            } ?? 14
          }
          lengths[parity] = needed.max() ?? 14
          let at = Self.lengths.firstIndex(of: lengths[parity]) ?? 8
          // A one ends the zeros, unless there are five.
          sink.put(0, UInt32(at / 2 + 1))
          if at < 8 { sink.put(1, 1) }
          sink.put(UInt32(at % 2), 1)
        }
      }
      for x in columns {
        let length = lengths[x & 1]
        if length == 14 {
          sink.put(UInt32(row[x]), 16)
        } else {
          let least = 1 - 1 << (length - 1)
          let raised = row[x] - last[x & 1] - least
          sink.put(UInt32(raised), UInt32(length))
        }
        last[x & 1] = row[x]
      }
    }
    return sink.words()
  }
}
