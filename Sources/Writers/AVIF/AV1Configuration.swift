import Codecs

/// What the data of a still picture of AV1 say of themselves: the units (OBUs) of the AV1 bitstream
/// specification 5.3 and the record `av1C` of "AV1 Codec ISO Media File Format Binding" 2.3.
enum AV1Configuration {
  private static let sequenceHeader: UInt8 = 1
  private static let temporalDelimiter: UInt8 = 2

  /// The units of a temporal unit as an item has them: without delimiters. nil when they are no units.
  static func item(_ unit: [UInt8]) -> [UInt8]? {
    units(unit).map { $0.filter { $0.type != temporalDelimiter }.flatMap { unit[$0.whole] } }
  }

  /// The record for item data with a reduced still picture header; nil when they have none. The header
  /// itself stays in the data alone, as the specification of AVIF wants it.
  static func record(_ item: [UInt8], bits: Int, chroma: ChromaFormat, position: UInt8) -> [UInt8]?
  {
    guard let header = units(item)?.first(where: { $0.type == sequenceHeader })?.payload,
      header.count >= 2
    else { return nil }
    let (first, second) = (item[header.lowerBound], item[header.lowerBound + 1])
    // Profile (3 bits), still picture, reduced header, level (5).
    guard first & 0x18 == 0x18 else { return nil }
    let level = (first & 7) << 2 | second >> 6
    let subsampling: UInt8 =
      switch chroma {
      case .monochrome: 0x1C
      case .yuv420: 0x0C
      case .yuv444: 0
      }
    let depth: UInt8 = bits == 12 ? 0x60 : bits == 10 ? 0x40 : 0
    return [0x81, first & 0xE0 | level, depth | subsampling | position, 0]
  }

  /// The brand of the profile in "AV1 Image File Format" 1.1 section 8 that all these records keep:
  /// Main up to level 5.1, or High up to 6.0; nil for none, as 12 bits are Professional.
  static func brand(_ records: [[UInt8]]) -> String? {
    guard records.allSatisfy({ $0.count >= 2 }) else { return nil }
    let (profiles, levels) = (records.map { $0[1] >> 5 }, records.map { $0[1] & 31 })
    guard let profile = profiles.max(), let level = levels.max(), profile < 2, level <= 16 else {
      return nil
    }
    return profile == 0 && level <= 13 ? "MA1B" : "MA1A"
  }

  private typealias Unit = (type: UInt8, whole: Range<Int>, payload: Range<Int>)

  /// nil unless each unit has a length and stays within the bytes.
  private static func units(_ bytes: [UInt8]) -> [Unit]? {
    var found: [Unit] = []
    var at = 0
    while at < bytes.count {
      let start = at
      let head = bytes[at]
      guard head & 0x80 == 0, head & 2 != 0 else { return nil }
      at += head & 4 != 0 ? 2 : 1
      var length = 0
      for index in 0..<5 {
        guard at < bytes.count else { return nil }
        let byte = bytes[at]
        length |= Int(byte & 0x7F) << (7 * index)
        at += 1
        if byte & 0x80 == 0 { break }
      }
      guard length <= bytes.count - at else { return nil }
      found.append((head >> 3 & 15, start..<(at + length), at..<(at + length)))
      at += length
    }
    return found
  }
}
