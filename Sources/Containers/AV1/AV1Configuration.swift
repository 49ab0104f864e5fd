/// The decoder configuration record of AV1 (`av1C`, "AV1 Codec ISO Media File Format Binding" 2.3),
/// read and written, and the data of a still picture beside it.
package enum AV1Configuration {
  /// The first sequence header in `data`, or else in `record`.
  package static func still(_ record: [UInt8], _ data: [UInt8]) throws(FormatError) -> CodedStill {
    guard record.count >= 4, record[0] == 0x81 else {
      throw CodedStill.unreadable("its av1C record is damaged")
    }
    let units = try AV1Unit.list(data) + (try AV1Unit.list(Array(record.dropFirst(4))))
    guard let header = units.first(where: { $0.type == AV1Unit.sequenceHeader }) else {
      throw CodedStill.unreadable("it has no sequence header")
    }
    let sequence = try AV1Sequence(header.payload)
    return CodedStill(
      codec: .av1, size: sequence.size, codedSize: sequence.size, bits: sequence.bits,
      isGray: sequence.isGray, codePoints: sequence.codePoints, isFullRange: sequence.isFullRange)
  }

  /// `data` with a sequence header, and nothing that a still picture does not need.
  package static func units(_ record: [UInt8], _ data: [UInt8]) throws(FormatError) -> [UInt8] {
    var units = try AV1Unit.list(data)
    if !units.contains(where: { $0.type == AV1Unit.sequenceHeader }) {
      units = try AV1Unit.list(Array(record.dropFirst(4))) + units
    }
    var first: AV1Sequence?
    for unit in units where unit.type == AV1Unit.sequenceHeader {
      let next = try AV1Sequence(unit.payload)
      guard first == nil || first == next else {
        throw CodedStill.unreadable("its sequence headers differ")
      }
      first = next
    }
    guard first != nil else { throw CodedStill.unreadable("it has no sequence header") }
    try CodedStill.allow(frames: units.count { AV1Unit.ofFrames.contains($0.type) })
    return units.filter { AV1Unit.ofStills.contains($0.type) }.reduce(into: []) { $0 += $1.bytes }
  }

  /// The units of a temporal unit as an item has them: without delimiters. nil when they are no
  /// units with lengths.
  package static func item(_ unit: [UInt8]) -> [UInt8]? {
    sized(unit)?.filter { $0.type != AV1Unit.temporalDelimiter }.flatMap(\.bytes)
  }

  /// The record for item data with a reduced still picture header; nil when they have none. The
  /// header itself stays in the data alone, as the specification of AVIF requires. `chromaFormat`:
  /// as chroma_format_idc of HEVC; `position`: chroma_sample_position.
  package static func record(
    _ item: [UInt8], bits: Int, chromaFormat: UInt8, position: UInt8
  ) -> [UInt8]? {
    guard let header = sized(item)?.first(where: { $0.type == AV1Unit.sequenceHeader })?.payload,
      header.count >= 2
    else { return nil }
    let (first, second) = (header[header.startIndex], header[header.startIndex + 1])
    // Profile (3 bits), still picture, reduced header, level (5).
    guard first & 0x18 == 0x18 else { return nil }
    let level = (first & 7) << 2 | second >> 6
    let subsampling: [UInt8] = [0x1C, 0x0C, 0x08, 0]
    let depth: UInt8 = bits == 12 ? 0x60 : bits == 10 ? 0x40 : 0
    return [0x81, first & 0xE0 | level, depth | subsampling[Int(chromaFormat & 3)] | position, 0]
  }

  /// The brand of the profile in "AV1 Image File Format" 1.1 section 8 that all these records keep:
  /// Main up to level 5.1, or High up to 6.0; nil for none, as 12 bits are Professional.
  package static func brand(_ records: [[UInt8]]) -> String? {
    guard records.allSatisfy({ $0.count >= 2 }) else { return nil }
    let (profiles, levels) = (records.map { $0[1] >> 5 }, records.map { $0[1] & 31 })
    guard let profile = profiles.max(), let level = levels.max(), profile < 2, level <= 16 else {
      return nil
    }
    return profile == 0 && level <= 13 ? "MA1B" : "MA1A"
  }

  /// nil unless each unit has a length and stays within the bytes.
  private static func sized(_ bytes: [UInt8]) -> [AV1Unit]? {
    (try? AV1Unit.list(bytes)).flatMap { $0.allSatisfy(\.hasLength) ? $0 : nil }
  }
}

/// An open bitstream unit (OBU) of AV1 (AV1 bitstream specification 5.3).
struct AV1Unit {
  static let sequenceHeader = 1
  static let temporalDelimiter = 2
  static let frame = 6
  /// Unit types that start a frame: frame header, frame.
  static let ofFrames: Set<Int> = [3, 6]
  /// Sequence header, temporal delimiter, frame header, tile group, metadata, frame. A redundant
  /// header (7) says what the frame's own has said; a decoder takes one without that for a frame.
  static let ofStills: Set<Int> = [1, 2, 3, 4, 6]

  let type: Int
  /// Whether its header has a length.
  let hasLength: Bool
  let bytes, payload: ArraySlice<UInt8>

  static func list(_ data: [UInt8]) throws(FormatError) -> [AV1Unit] {
    var cursor = ByteCursor(data)
    var units: [AV1Unit] = []
    while !cursor.isEmpty {
      guard units.count < FormatLimits.codedUnits else { throw CodedStill.tooManyUnits }
      let rest = cursor.rest
      let head = try cursor.u8()
      guard head & 0x80 == 0 else { throw .contradiction("a coded picture is not AV1") }
      if head & 4 != 0 { _ = try cursor.u8() }
      var length = cursor.remaining
      let hasLength = head & 2 != 0
      if hasLength {
        length = 0
        for index in 0..<8 {
          let byte = try cursor.u8()
          length |= (byte & 0x7F) << (7 * index)
          if byte & 0x80 == 0 { break }
        }
      }
      let payload = try cursor.take(length)
      units.append(
        AV1Unit(
          type: head >> 3 & 15, hasLength: hasLength,
          bytes: rest.prefix(rest.count - cursor.remaining),
          payload: payload))
    }
    return units
  }
}
