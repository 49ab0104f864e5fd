import ImageCore

/// The sequence header of an AV1 picture (AV1 bitstream specification 5.5) and the units of its data.
struct AV1Sequence: Equatable {
  private static let sequenceHeader = 1
  /// Sequence header, temporal delimiter, frame header, tile group, metadata, frame, redundant header.
  private static let usedUnits: Set<Int> = [1, 2, 3, 4, 6, 7]

  let size: PixelSize
  let bits: Int
  let isGrey: Bool
  let codePoints: HEIFProperty.CodePoints?
  let isFullRange: Bool

  /// What the first sequence header in `data`, or else in `configuration` (`av1C`), says.
  static func still(_ configuration: [UInt8], _ data: [UInt8]) throws(ReadError) -> CodedStill {
    guard configuration.count >= 4, configuration[0] == 0x81 else {
      throw CodedStill.unreadable("is damaged")
    }
    let units = try Self.list(data) + (try Self.list(Array(configuration.dropFirst(4))))
    guard let header = units.first(where: { $0.type == sequenceHeader }) else {
      throw CodedStill.unreadable("lacks a part")
    }
    let facts = try AV1Sequence(header.payload)
    return CodedStill(
      codec: .av1, size: facts.size, bits: facts.bits, isGrey: facts.isGrey,
      codePoints: facts.codePoints, isFullRange: facts.isFullRange,
      configuration: Array(configuration.prefix(4)))
  }

  /// `data` with a sequence header, and nothing that a still picture does not need.
  static func units(_ configuration: [UInt8], _ data: [UInt8]) throws(ReadError) -> [UInt8] {
    var units = try list(data)
    if !units.contains(where: { $0.type == sequenceHeader }) {
      units = try list(Array(configuration.dropFirst(4))) + units
    }
    var first: AV1Sequence?
    for unit in units where unit.type == sequenceHeader {
      let next = try AV1Sequence(unit.payload)
      guard first == nil || first == next else { throw CodedStill.unreadable("contradicts itself") }
      first = next
    }
    guard first != nil else { throw CodedStill.unreadable("lacks a part") }
    return units.filter { usedUnits.contains($0.type) }.reduce(into: []) { $0 += $1.bytes }
  }

  private struct Unit {
    let type: Int
    let bytes, payload: ArraySlice<UInt8>
  }

  private static func list(_ data: [UInt8]) throws(ReadError) -> [Unit] {
    var cursor = ISOCursor(data)
    var units: [Unit] = []
    while !cursor.isEmpty {
      let rest = cursor.bytes
      let head = try cursor.u8()
      guard head & 0x80 == 0 else { throw ISOCursor.damaged("a coded picture is no AV1") }
      if head & 4 != 0 { _ = try cursor.u8() }
      var length = cursor.count
      if head & 2 != 0 {
        length = 0
        for index in 0..<8 {
          let byte = try cursor.u8()
          length |= (byte & 0x7F) << (7 * index)
          if byte & 0x80 == 0 { break }
        }
      }
      let payload = try cursor.take(length)
      units.append(
        Unit(
          type: head >> 3 & 15, bytes: rest.prefix(rest.count - cursor.count), payload: payload))
    }
    return units
  }

  private init(_ payload: ArraySlice<UInt8>) throws(ReadError) {
    var reader = BitReader(payload.prefix(256))
    let profile = reader.bits(3)
    reader.skip(1)
    let isReduced = reader.bit()
    if isReduced { reader.skip(5) } else { Self.skipOperatingPoints(&reader) }
    let (columnBits, rowBits) = (reader.bits(4) + 1, reader.bits(4) + 1)
    size = PixelSize(width: reader.bits(columnBits) + 1, height: reader.bits(rowBits) + 1)
    if !isReduced, reader.bit() { reader.skip(7) }
    reader.skip(3)
    if !isReduced { Self.skipTools(&reader) }
    reader.skip(3)
    let isHigh = reader.bit()
    bits = isHigh ? (profile == 2 && reader.bit() ? 12 : 10) : 8
    isGrey = profile != 1 && reader.bit()
    let codes = reader.bit() ? (0..<3).map { _ in UInt16(reader.bits(8)) } : nil
    let isRGB = codes == [1, 13, 0] && !isGrey
    let full = isRGB || reader.bit()
    isFullRange = full
    codePoints = codes.map {
      .init(primaries: $0[0], transfer: $0[1], matrix: $0[2], isFullRange: full)
    }
    guard !reader.isExhausted, profile <= 2 else { throw CodedStill.unreadable("is damaged") }
  }

  private static func skipOperatingPoints(_ reader: inout BitReader) {
    var delayBits: Int?
    if reader.bit() {
      reader.skip(64)
      if reader.bit() { _ = reader.exponentialGolomb() }
      if reader.bit() {
        delayBits = reader.bits(5) + 1
        reader.skip(42)
      }
    }
    let hasDelay = reader.bit()
    for _ in 0...reader.bits(5) {
      reader.skip(12)
      if reader.bits(5) > 7 { reader.skip(1) }
      if let delayBits, reader.bit() { reader.skip(2 * delayBits + 1) }
      if hasDelay, reader.bit() { reader.skip(4) }
    }
  }

  private static func skipTools(_ reader: inout BitReader) {
    reader.skip(4)
    let hasOrder = reader.bit()
    if hasOrder { reader.skip(2) }
    let screen = reader.bit() ? 2 : reader.bits(1)
    if screen > 0, !reader.bit() { reader.skip(1) }
    if hasOrder { reader.skip(3) }
  }
}
