public import ImageCore

// The binary record of ISO 21496-1:2025, big-endian, as it stands behind the prefix of its container:
//   u16 minimum version 0, u16 writer version 0, u8 flags (0x80 three channels, 0x40 primaries of the
//   base), base and alternate headroom as u32/u32, then for each of one or three channels minimum and
//   maximum s32/u32, gamma u32/u32, base and alternate offset s32/u32: 61 or 141 bytes.
// Two flags of the drafts are read, too: 0x08, one denominator (u32) stands before all numerators;
// 0x04, "backward", the base is the high rendition, so the larger headroom is taken to be the
// base's. Bytes behind the record are ignored. A denominator or gamma of 0 and a maximum below the
// minimum are refused, as is a minimum version above 0.

extension GainMapMetadata {
  private static let threeChannels: UInt8 = 0x80
  private static let baseColorSpace: UInt8 = 0x40
  private static let commonDenominator: UInt8 = 0x08
  private static let backward: UInt8 = 0x04

  /// The parameters in a record.
  public init(isoRecord record: [UInt8]) throws(GainMapError) {
    var reader = RecordReader(bytes: record)
    let minimumVersion = try reader.unsigned(bytes: 2)
    guard minimumVersion == 0 else {
      throw GainMapError(
        .unsupported,
        "its record needs a reader of version \(minimumVersion), this one knows 0; "
          + "show the picture without its map")
    }
    _ = try reader.unsigned(bytes: 2)
    let flags = UInt8(try reader.unsigned(bytes: 1))
    if flags & Self.commonDenominator != 0 { reader.denominator = try reader.unsigned(bytes: 4) }
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
    func append(_ value: UInt32) {
      for shift in [24, 16, 8, 0] as [UInt32] {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    func unsigned(_ value: Double, atLeast least: UInt32 = 0) {
      let (n, d) = StoredFraction.unsigned(value)
      append(max(n, least))
      append(n < least ? UInt32.max : d)
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
      // A gamma too small for 32 bits must not become 0, which no reader takes.
      unsigned(channel.gamma, atLeast: 1)
      signed(channel.baseOffset)
      signed(channel.alternateOffset)
    }
    return bytes
  }

  /// Takes big-endian numbers from the front of a record.
  private struct RecordReader {
    let bytes: [UInt8]
    var position = 0
    /// The one denominator of all fractions, where the record has such.
    var denominator: UInt32?

    mutating func unsigned(bytes count: Int) throws(GainMapError) -> UInt32 {
      guard bytes.count - position >= count else {
        throw GainMapError(
          .damaged, "its record ends after \(bytes.count) bytes; show the picture without its map")
      }
      defer { position += count }
      return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func fraction(signed: Bool) throws(GainMapError) -> Double {
      let numerator = try unsigned(bytes: 4)
      let divisor: UInt32
      if let denominator { divisor = denominator } else { divisor = try unsigned(bytes: 4) }
      guard divisor != 0 else {
        throw GainMapError(
          .damaged, "its record divides by 0; show the picture without its map")
      }
      let top = signed ? Double(Int32(bitPattern: numerator)) : Double(numerator)
      return top / Double(divisor)
    }
  }
}
