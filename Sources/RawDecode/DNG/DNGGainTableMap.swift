import Containers

extension GainTableMap {
  /// Parses ProfileGainTableMap (52525) or, with `isSecond`, ProfileGainTableMap2 (52544). Throws
  /// if a number is outside the range of DNG 1.7.1, or data are missing.
  init(_ entry: TIFFEntry, isSecond: Bool) throws(TagFault) {
    var reader = TagReader(
      entry, name: isSecond ? "ProfileGainTableMap2" : "ProfileGainTableMap")
    let rows = try reader.count("rows", in: 1...65535)
    let columns = try reader.count("columns", in: 1...65535)
    let (down, across) = (try reader.double(), try reader.double())
    let (top, left) = (try reader.double(), try reader.double())
    let points = try reader.count("points", in: 1...65535)
    guard [down, across, top, left].allSatisfy(\.isFinite), rows == 1 || down > 0,
      columns == 1 || across > 0
    else { throw reader.damaged("has an invalid grid") }
    var weights: [Float] = []
    for _ in 0..<5 { weights.append(try reader.float()) }
    guard weights.allSatisfy(\.isFinite) else { throw reader.damaged("has invalid weights") }

    var sample = TagReader.Sample.float
    var gamma: Float = 1
    var (minimum, maximum): (Float, Float) = (0, 1)
    if isSecond {
      let kinds: [TagReader.Sample] = [.uint8, .uint16, .half, .float]
      sample = kinds[try reader.count("as its data type", in: 0...3)]
      (gamma, minimum, maximum) = (try reader.float(), try reader.float(), try reader.float())
      guard gamma >= 0.25, gamma <= 4, minimum.isFinite, maximum.isFinite, minimum <= maximum else {
        throw reader.damaged("has an invalid gamma or range")
      }
    }
    let count = rows * columns * points
    let limit = RawDecodeLimits.tableGains
    guard count <= limit else {
      throw reader.damaged("has \(count) gains, more than the maximum of \(limit)")
    }
    var gains = try reader.samples(sample, count: count)
    if sample == .uint8 || sample == .uint16 {
      gains = gains.map { minimum + $0 * (maximum - minimum) }
    }
    guard gains.allSatisfy({ Self.gainRange.contains($0) }) else {
      throw reader.damaged("has a gain outside 1/4096 to 4096")
    }
    self.init(
      rows: rows, columns: columns,
      spacing: SIMD2(columns == 1 ? 1 : across, rows == 1 ? 1 : down),
      origin: SIMD2(columns == 1 ? 0 : left, rows == 1 ? 0 : top), points: points,
      weights: weights, gamma: gamma, gains: gains)
  }
}
