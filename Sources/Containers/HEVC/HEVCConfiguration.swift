/// The decoder configuration record of HEVC (`hvcC`, ISO/IEC 14496-15:2022 8.3.2), read and
/// written: what a reader needs to know before it starts a decoder, and the parameter sets.
package struct HEVCConfiguration {
  private static let video = Int(HEVCUnit.Kind.video.rawValue)
  private static let sequence = Int(HEVCUnit.Kind.sequence.rawValue)
  private static let picture = Int(HEVCUnit.Kind.picture.rawValue)
  /// The kinds of units that a picture needs.
  private static let kinds = [video, sequence, picture]

  /// The bytes before the width of lengths: version, profile and level, chroma format, depths.
  private let head: [UInt8]
  private let lengthBytes: Int
  /// Parameter sets by the type of their units, complete and without lengths.
  private let sets: [Int: [[UInt8]]]

  /// Reads a record.
  package init(_ record: [UInt8]) throws(FormatError) {
    var cursor = ByteCursor(record)
    head = Array(try cursor.take(21))
    lengthBytes = try cursor.u8() & 3 + 1
    var sets: [Int: [[UInt8]]] = [:]
    for _ in 0..<(try cursor.u8()) {
      let type = try cursor.u8() & 0x3F
      for _ in 0..<(try cursor.u16()) {
        sets[type, default: []].append(Array(try cursor.take(cursor.u16())))
      }
    }
    self.sets = sets
    guard head[0] == 1, lengthBytes != 3, Self.kinds.allSatisfy({ sets[$0]?.isEmpty == false }),
      sets.values.allSatisfy({ $0.count <= FormatLimits.parameterSets })
    else { throw CodedStill.unreadable("its hvcC record lacks a parameter set") }
  }

  /// The configuration of pictures with these parameter sets, complete NAL units with lengths of
  /// four bytes; nil when no sequence parameter set is among them. `chromaFormat`:
  /// chroma_format_idc.
  package init?(parameterSets: [[UInt8]], bits: Int, chromaFormat: UInt8) {
    var sets: [Int: [[UInt8]]] = [:]
    for unit in parameterSets { sets[Self.type(unit), default: []].append(unit) }
    guard let set = sets[Self.sequence]?.first else { return nil }
    let sequence = HEVCUnit.payload(set[...])
    guard sequence.count >= 15 else { return nil }
    let depth = 0xF8 | UInt8(bits - 8)
    // Profile, compatibility and constraint flags and level follow the two-byte NAL header
    // and one byte of layers.
    head = [1] + sequence[3..<15] + [0xF0, 0, 0xFC, 0xFC | chromaFormat, depth, depth, 0, 0]
    (self.sets, lengthBytes) = (sets, 4)
  }

  private static func type(_ unit: some Collection<UInt8>) -> Int {
    unit.first.map { Int($0 >> 1) & 0x3F } ?? 0
  }

  /// The record, with one temporal layer, nested.
  package var record: [UInt8] {
    var bytes = BoxWriter()
    bytes.append(head)
    bytes.u8(0x0C | UInt8(lengthBytes - 1))
    bytes.u8(UInt8(Self.kinds.count))
    for kind in Self.kinds {
      let units = sets[kind] ?? []
      bytes.u8(0x80 | UInt8(kind))
      bytes.u16(UInt16(truncatingIfNeeded: units.count))
      for unit in units {
        bytes.u16(UInt16(truncatingIfNeeded: unit.count))
        bytes.append(unit)
      }
    }
    return bytes.bytes
  }

  /// The sequence parameter sets. A decoder takes the set that a slice names; all must
  /// agree, so that none is a surprise.
  package func still() throws(FormatError) -> CodedStill {
    var sequence: HEVCSequence?
    for set in sets[Self.sequence] ?? [] {
      let next = try HEVCSequence(set[...])
      guard sequence == nil || sequence == next else {
        throw CodedStill.unreadable("its sequence parameter sets differ")
      }
      sequence = next
    }
    guard let sequence else { throw CodedStill.unreadable("it has no sequence parameter set") }
    return CodedStill(
      codec: .hevc, size: sequence.size, codedSize: sequence.codedSize, bits: sequence.bits,
      isGray: sequence.isGray, codePoints: sequence.codePoints, isFullRange: sequence.isFullRange,
      minBytes: sequence.minBytes)
  }

  /// The units that a decoder needs for one picture with `data`: parameter sets, then slices. Only
  /// the picture parameter sets that slices refer to, as libde265 makes tables of the picture's
  /// size for each.
  package func units(of data: [UInt8]) throws(FormatError) -> [ArraySlice<UInt8>] {
    var cursor = ByteCursor(data)
    var slices: [ArraySlice<UInt8>] = []
    var named: [Int] = []
    while !cursor.isEmpty {
      let unit = try cursor.take(cursor.uint(lengthBytes))
      guard unit.count > 2, Self.type(unit) < Self.video else { continue }
      guard slices.count < FormatLimits.codedUnits else { throw CodedStill.tooManyUnits }
      slices.append(unit)
      if let number = HEVCUnit.pictureSet(ofFirstSlice: unit) { named.append(number) }
    }
    try CodedStill.allow(frames: named.count)
    guard !slices.isEmpty else { throw .contradiction("a coded picture has no slices") }
    // The last of a number counts.
    var numbered: [Int: ArraySlice<UInt8>] = [:]
    for set in sets[Self.picture] ?? [] {
      numbered[HEVCUnit.number(ofPictureSet: set[...])] = set[...]
    }
    let others = [Self.video, Self.sequence].flatMap { (sets[$0] ?? []).map { $0[...] } }
    return others + named.compactMap { numbered.removeValue(forKey: $0) } + slices
  }
}
