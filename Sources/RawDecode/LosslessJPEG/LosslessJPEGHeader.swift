import Containers

/// The headers of a lossless JPEG stream (ITU-T T.81, 1992, annex B and H): process SOF3, one scan
/// of 1 to 4 interleaved components without subsampling.
struct LosslessJPEGHeader {
  /// Why a stream has no usable header.
  enum Fault: Error {
    /// It violates the standard or is truncated.
    case damaged
    /// It is valid but not supported.
    case notCovered
  }

  /// Pixels per row.
  private(set) var columns = 0
  private(set) var rows = 0
  /// Samples per pixel.
  private(set) var components = 0
  /// Bits per stored sample: sample precision less point transform. The point transform is not
  /// undone, as in other DNG readers.
  private(set) var bits = 0
  /// Predictor 1 to 7, table H.1.
  private(set) var predictor = 0
  /// Rows between restart markers; 0 for none.
  private(set) var restartRows = 0
  /// Concatenated Huffman tables, and the start of each component's table.
  private(set) var tables: [UInt32] = []
  private(set) var tableStarts: [Int] = []
  /// Offset of the entropy-coded bytes.
  private(set) var dataStart = 0

  /// Samples per row of all components.
  var samplesPerRow: Int { columns * components }

  private var componentNumbers: [UInt8] = []
  private var definitions: [UInt8: (counts: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>)] = [:]
  private var restartInterval = 0

  /// Reads the headers of `stream` up to its first scan. With `extended`, category 16 has 16 bits
  /// of value.
  init(_ stream: ByteView, extended: Bool) throws(Fault) {
    guard stream.count >= 4, stream.isJPEG else { throw .damaged }
    for part in stream.jpegMarkers {
      guard part.end >= part.start, part.end <= stream.count else { throw .damaged }
      let segment = stream.bytes(part.start..<part.end)
      switch part.marker {
      case 0xC3: try readFrame(segment)
      case 0xC4: try readTables(segment[...])
      case 0xDA:
        dataStart = part.end
        try readScan(segment, extended)
        return
      case 0xDD:
        guard segment.count >= 2 else { throw .damaged }
        restartInterval = Int(segment[0]) << 8 | Int(segment[1])
      case 0xE0...0xEF, 0xFE, 0xDB: break
      case 0x00, 0xD0...0xD9: throw .damaged
      default: throw .notCovered
      }
    }
    throw .damaged
  }

  private mutating func readFrame(_ segment: [UInt8]) throws(Fault) {
    guard components == 0, segment.count >= 6 else { throw .damaged }
    bits = Int(segment[0])
    rows = Int(segment[1]) << 8 | Int(segment[2])
    columns = Int(segment[3]) << 8 | Int(segment[4])
    components = Int(segment[5])
    guard (2...16).contains(bits), columns > 0, components > 0,
      segment.count >= 6 + 3 * components
    else { throw .damaged }
    // A row count of 0 would be declared by a DNL marker after the data.
    guard rows > 0, components <= 4 else { throw .notCovered }
    for component in 0..<components {
      componentNumbers.append(segment[6 + 3 * component])
      guard segment[7 + 3 * component] == 0x11 else { throw .notCovered }
    }
    guard Set(componentNumbers).count == components else { throw .damaged }
  }

  private mutating func readTables(_ segment: ArraySlice<UInt8>) throws(Fault) {
    var rest = segment
    while let identifier = rest.first {
      guard rest.count >= 17 else { throw .damaged }
      let counts = rest.dropFirst().prefix(16)
      let total = counts.reduce(0) { $0 + Int($1) }
      guard total <= 256, rest.count >= 17 + total else { throw .damaged }
      // Class 1 tables are for DCT streams.
      if identifier <= 3 {
        definitions[identifier] = (counts, rest.dropFirst(17).prefix(total))
      }
      rest = rest.dropFirst(17 + total)
    }
  }

  private mutating func readScan(_ segment: [UInt8], _ extended: Bool) throws(Fault) {
    guard components > 0, let count = segment.first.map(Int.init), segment.count >= 4 + 2 * count
    else { throw .damaged }
    guard count == components else { throw .notCovered }
    predictor = Int(segment[1 + 2 * count])
    let pointTransform = Int(segment[3 + 2 * count] & 15)
    bits -= pointTransform
    guard bits > 0 else { throw .damaged }
    guard (1...7).contains(predictor) else { throw .notCovered }
    guard restartInterval % columns == 0 else { throw .damaged }
    restartRows = restartInterval / columns
    var known: [UInt8: Int] = [:]
    for index in 0..<count {
      guard segment[1 + 2 * index] == componentNumbers[index] else { throw .notCovered }
      let identifier = segment[2 + 2 * index] >> 4
      if known[identifier] == nil {
        guard let (counts, symbols) = definitions[identifier],
          let table = LosslessJPEGTable(counts: counts, symbols: symbols, extended: extended)
        else { throw .damaged }
        known[identifier] = tables.count
        tables += table.entries
      }
      tableStarts.append(known[identifier] ?? 0)
    }
  }
}
