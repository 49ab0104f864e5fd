public import ImageCore

// The binary record of ISO 21496-1:2025, big-endian, after the prefix of its container: u16 minimum
// version 0, u16 writer version 0, u8 flags (0x80 three channels, 0x40 primaries of the base), base
// and alternate headroom as u32/u32, then for each of one or three channels minimum and maximum
// s32/u32, gamma u32/u32, base and alternate offset s32/u32: 61 or 141 bytes. Two flags of the
// drafts are read, too: 0x08, one denominator (u32) precedes all numerators; 0x04, "backward": the
// base is the HDR rendition, so the larger headroom belongs to the base. Bytes after the record are
// ignored. A denominator of 0 and parameters outside their domain are refused, as is a minimum
// version above 0.

extension GainMapMetadata {
  private static let threeChannels: UInt8 = 0x80
  private static let baseColorSpace: UInt8 = 0x40
  private static let commonDenominator: UInt8 = 0x08
  private static let backward: UInt8 = 0x04

  /// The parameters in a record.
  public init(isoRecord record: [UInt8]) throws(GainMapError) {
    var reader = RecordReader(cursor: ByteCursor(record[...], bigEndian: true))
    let minimumVersion = try reader.integer(UInt16.self)
    guard minimumVersion == 0 else {
      throw GainMapError(
        .unsupported,
        "its ISO 21496-1 metadata needs version \(minimumVersion), only 0 is supported; "
          + "show the picture without its map")
    }
    _ = try reader.integer(UInt16.self)
    let flags = try reader.integer(UInt8.self)
    if flags & Self.commonDenominator != 0 { reader.denominator = try reader.integer(UInt32.self) }
    var headrooms = [try reader.fraction(signed: false), try reader.fraction(signed: false)]
    if flags & Self.backward != 0 { headrooms.sort(by: >) }
    var channels: [Channel] = []
    for _ in 0..<(flags & Self.threeChannels != 0 ? 3 : 1) {
      let minimum = try reader.fraction(signed: true)
      let maximum = try reader.fraction(signed: true)
      let gamma = try reader.fraction(signed: false)
      let baseOffset = try reader.fraction(signed: true)
      channels.append(
        try Channel(
          minimumStops: minimum, maximumStops: maximum, gamma: gamma, baseOffset: baseOffset,
          alternateOffset: try reader.fraction(signed: true)))
    }
    try self.init(
      channels: channels, baseHeadroomStops: headrooms[0], alternateHeadroomStops: headrooms[1],
      usesBaseColorSpace: flags & Self.baseColorSpace != 0)
  }

  /// The record: 61 bytes, 141 with three channels.
  public var isoRecord: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(
      (channels.count == 3 ? Self.threeChannels : 0)
        | (usesBaseColorSpace ? Self.baseColorSpace : 0))
    func append(_ value: UInt32) { bytes += value.bytes(bigEndian: true) }
    func unsigned(_ value: Double) {
      let (n, d) = StoredFraction.unsigned(value)
      append(n)
      append(d)
    }
    func signed(_ value: Double) {
      let (n, d) = StoredFraction.signed(value)
      append(UInt32(bitPattern: n))
      append(d)
    }
    unsigned(baseHeadroomStops)
    unsigned(alternateHeadroomStops)
    for channel in channels {
      signed(channel.minimumStops)
      signed(channel.maximumStops)
      unsigned(channel.gamma)
      signed(channel.baseOffset)
      signed(channel.alternateOffset)
    }
    return bytes
  }

  /// The numbers of a record, one after the other.
  private struct RecordReader {
    var cursor: ByteCursor
    /// The one denominator of all fractions, where the record has such.
    var denominator: UInt32?

    mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws(GainMapError) -> T {
      guard let value = cursor.integer(type) else {
        throw GainMapError(
          .damaged,
          "its ISO 21496-1 metadata is truncated after \(cursor.count) bytes; "
            + "show the picture without its map")
      }
      return value
    }

    mutating func fraction(signed: Bool) throws(GainMapError) -> Double {
      let numerator = try integer(UInt32.self)
      let divisor = if let denominator { denominator } else { try integer(UInt32.self) }
      guard divisor != 0 else {
        throw GainMapError(
          .damaged,
          "its ISO 21496-1 metadata has a zero denominator; show the picture without its map")
      }
      let top = signed ? Double(Int32(bitPattern: numerator)) : Double(numerator)
      return top / Double(divisor)
    }
  }
}
