import Codecs
import Containers

/// Finishes the profiles that lcms2 saves (ICC.1:2022, clause 7): sets a constant creation time and
/// no platform, adds `cicp` and other elements on request, and computes the identifier.
///
/// lcms2 up to 2.17 writes `cicp` with 16 bytes where the standard has 12, so it is added here.
enum ICCSerialization {
  private static let headerBytes = ICCTagTable.headerBytes
  /// 2026-01-01 00:00:00 as six big-endian numbers.
  private static let creation: [UInt8] = [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]

  /// `curve`: the element of ``ICCTagTable/adaptiveGainCurve``.
  static func finished(
    _ saved: [UInt8], cicp: [UInt8]?, curve: [UInt8]? = nil
  ) throws(CodecError) -> [UInt8] {
    var profile = saved
    if let cicp {
      guard cicp.count == 4 else { throw broken }
      profile = try adding(Array("cicp".utf8) + [0, 0, 0, 0] + cicp, as: "cicp", to: profile)
    }
    if let curve {
      profile = try adding(curve, as: ICCTagTable.adaptiveGainCurve.tag, to: profile)
    }
    guard profile.count >= headerBytes else { throw broken }
    profile.replaceSubrange(24..<36, with: creation)
    profile.replaceSubrange(40..<44, with: [0, 0, 0, 0])
    store(UInt32(profile.count), at: 0, in: &profile)
    // Clause 7.2.18: the identifier is taken with flags, intent and itself as zero.
    var bare = profile
    for field in [44..<48, 64..<68, 84..<100] {
      for index in field { bare[index] = 0 }
    }
    profile.replaceSubrange(84..<100, with: try LCMSDisplayProfile.md5(bare))
    return profile
  }

  /// The profile with an element appended; all offsets grow by the new table row.
  private static func adding(
    _ element: [UInt8], as tag: String, to saved: [UInt8]
  ) throws(CodecError) -> [UInt8] {
    let rowBytes = ICCTagTable.rowBytes
    guard saved.count >= headerBytes + 4 else { throw broken }
    let rows = Int(load(saved, at: headerBytes))
    let tableEnd = headerBytes + 4 + rows * rowBytes
    guard rows < 100, saved.count >= tableEnd else { throw broken }
    var body = [UInt8](saved[tableEnd...])
    while body.count % 4 != 0 { body.append(0) }
    let offset = tableEnd + rowBytes + body.count

    var profile = [UInt8](saved[..<tableEnd])
    store(UInt32(rows + 1), at: headerBytes, in: &profile)
    for row in 0..<rows {
      let at = headerBytes + 4 + row * rowBytes + 4
      store(load(profile, at: at) &+ UInt32(rowBytes), at: at, in: &profile)
    }
    let row = [UInt32(offset), UInt32(element.count)].flatMap { $0.bytes(bigEndian: true) }
    let padding = [UInt8](repeating: 0, count: -element.count & 3)
    return profile + Array(tag.utf8) + row + body + element + padding
  }

  private static var broken: CodecError {
    CodecError("lcms2 saved a damaged ICC profile; check its installation")
  }

  private static func load(_ bytes: [UInt8], at index: Int) -> UInt32 {
    var cursor = ByteCursor(bytes[index...])
    return cursor.integer(UInt32.self) ?? 0
  }
  private static func store(_ value: UInt32, at index: Int, in bytes: inout [UInt8]) {
    bytes.replaceSubrange(index..<index + 4, with: value.bytes(bigEndian: true))
  }
}
