import Readers
import Writers

/// One application segment of a JPEG as it is written.
enum JPEGSegment {
  static let xmp = "http://ns.adobe.com/xap/1.0/\0"
  static let extendedXMP = "http://ns.adobe.com/xmp/extension/\0"
  static let iso = "urn:iso:std:iso:ts:21496:-1\0"
  static let index = "MPF\0"
  static let exif = "Exif\0\0"
  private static let most = 65_533

  static func bytes(
    _ marker: UInt8, _ name: String, _ body: [UInt8], _ what: String
  ) throws(ReadError) -> [UInt8] {
    let length = name.utf8.count + body.count
    guard length <= most else {
      throw ReadError(
        .unsupported, "\(what) takes \(length) bytes, a JPEG holds \(most); shorten it first")
    }
    return [0xFF, marker, UInt8((length + 2) >> 8), UInt8((length + 2) & 0xFF)] + Array(name.utf8)
      + body
  }

  /// An index of two pictures, the second of no declared kind.
  static let emptyIndex: [UInt8] = {
    var bytes = BoxBytes()
    bytes.append("MM".utf8)
    bytes.u16(42)
    bytes.u32(8)
    bytes.u16(3)
    for (tag, type, count, value) in [
      (0xB000, 7, 4, 0x3031_3030), (0xB001, 4, 1, 2), (0xB002, 7, 32, 50),
    ] as [(UInt16, UInt16, UInt32, UInt32)] {
      bytes.u16(tag)
      bytes.u16(type)
      bytes.u32(count)
      bytes.u32(value)
    }
    bytes.u32(0)
    bytes.u32(0x030000)
    for _ in 0..<7 { bytes.u32(0) }
    return bytes.bytes
  }()
}

extension JPEGSegments {
  /// The whole segment of a payload's range: marker, length, payload.
  static func whole(_ payload: Range<Int>, prefix: String = "") -> Range<Int> {
    payload.lowerBound - prefix.utf8.count - 4..<payload.upperBound
  }
}
