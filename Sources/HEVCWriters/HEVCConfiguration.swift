import Codecs
import Writers

/// The decoder configuration record of ISO/IEC 14496-15:2022 section 8.3.2: what a reader needs to
/// know before it starts a decoder, and the parameter sets.
enum HEVCConfiguration {
  /// The record for parameter sets given as whole NAL units; nil when no sequence parameter set is
  /// among them.
  static func record(
    parameterSets: [[UInt8]], bits: Int, chroma: ChromaFormat
  ) -> [UInt8]? {
    guard let sequence = parameterSets.first(where: { type($0) == 33 }).map(unescaped),
      sequence.count >= 15
    else { return nil }
    var bytes = BoxBytes()
    bytes.u8(1)
    // Profile, compatibility and constraint flags and level stand behind the two-byte NAL header
    // and one byte of layers.
    bytes.append(sequence[3..<15])
    bytes.u16(0xF000)
    bytes.u8(0xFC)
    bytes.u8(0xFC | chroma.rawValue)
    bytes.u8(0xF8 | UInt8(bits - 8))
    bytes.u8(0xF8 | UInt8(bits - 8))
    bytes.u16(0)
    // One temporal layer, nested; lengths of four bytes.
    bytes.u8(0x0F)
    bytes.u8(3)
    for kind: UInt8 in [32, 33, 34] {
      let units = parameterSets.filter { type($0) == kind }
      bytes.u8(0x80 | kind)
      bytes.u16(UInt16(truncatingIfNeeded: units.count))
      for unit in units {
        bytes.u16(UInt16(truncatingIfNeeded: unit.count))
        bytes.append(unit)
      }
    }
    return bytes.bytes
  }

  private static func type(_ unit: [UInt8]) -> UInt8 { unit.first.map { ($0 >> 1) & 0x3F } ?? 0 }

  /// The unit without the bytes that keep start codes out of it.
  private static func unescaped(_ unit: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      out.append(byte)
    }
    return out
  }
}
