import Containers
import ImageCore

extension RGBTables {
  /// Parses RGBTables (52543). Throws if a number is outside the range of DNG 1.7.1, or data are
  /// missing.
  init(_ entry: TIFFEntry) throws(TagFault) {
    var reader = TagReader(entry, name: "RGBTables")
    let count = try reader.count("tables", in: 1...RawDecodeLimits.rgbTables)
    isSequential = try reader.count("as its method", in: 0...1) == 1
    var tables: [RGBTable] = []
    for _ in 0..<count {
      let length = Int(try reader.integer(UInt16.self))
      let name = try reader.text(length).asName
      var bytes: [Int] = []
      for _ in 0..<5 { bytes.append(Int(try reader.integer(UInt8.self))) }
      let kinds: [TagReader.Sample] = [.uint8, .uint16, .float]
      guard (2...32).contains(bytes[0]), bytes[1] < kinds.count,
        let gamma = RGBTable.Gamma(rawValue: bytes[2]),
        let space = RGBTable.Space(rawValue: bytes[3]), bytes[4] < 2
      else { throw reader.damaged("has a table of an unknown type") }
      let side = bytes[0]
      let samples = try reader.samples(kinds[bytes[1]], count: 3 * side * side * side)
      guard samples.allSatisfy(\.isFinite) else { throw reader.damaged("holds invalid values") }
      tables.append(
        RGBTable(
          semanticName: name, divisions: side, gamma: gamma, space: space,
          extendsGamut: bytes[4] == 1, samples: samples.map { min(max($0, 0), 1) }))
    }
    self.tables = tables
  }
}
