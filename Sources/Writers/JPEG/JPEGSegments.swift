import Formats
import ImageCore

/// The application segments of a JPEG, in the order in which they have to stand: JFIF, Exif, XMP, ICC,
/// ISO 21496-1, index of pictures.
struct JPEGSegments {
  private(set) var bytes: [UInt8] = []

  /// Bytes that a segment holds.
  private static let most = 65_533
  private static let xmpName = "http://ns.adobe.com/xap/1.0/"
  private static let isoName = "urn:iso:std:iso:ts:21496:-1"
  /// Bytes that an XMP packet may have.
  static let longestXMP = most - xmpName.utf8.count - 1

  private mutating func segment(
    _ number: UInt8, _ name: String, _ body: [UInt8], what: String
  ) throws(WriteError) {
    let length = name.utf8.count + 1 + body.count
    guard length <= Self.most else {
      throw WriteError(
        .unsupportedSize,
        "\(what) takes \(length) bytes, a JPEG holds \(Self.most); write a HEIF or shorten it")
    }
    bytes += [0xFF, 0xE0 | number, UInt8((length + 2) >> 8), UInt8((length + 2) & 0xFF)]
    bytes += Array(name.utf8) + [0] + body
  }

  /// Version 1.01, square pixels, no thumbnail (ITU-T T.871). Apple's readers look for a word behind it
  /// where a gain map follows.
  mutating func jfif(isApple: Bool = false) throws(WriteError) {
    try segment(
      0, "JFIF", [1, 1, 0, 0, 1, 0, 1, 0, 0] + (isApple ? Array("AMPF".utf8) : []), what: "JFIF")
  }

  /// A block that starts with the byte order.
  mutating func exif(_ block: [UInt8]) throws(WriteError) {
    try segment(1, "Exif", [0] + block, what: "the Exif block")
  }

  mutating func xmp(_ packet: [UInt8]) throws(WriteError) {
    try segment(1, Self.xmpName, packet, what: "the XMP packet")
  }

  /// Our profiles fit one segment.
  mutating func profile(_ profile: [UInt8]) throws(WriteError) {
    try segment(2, "ICC_PROFILE", [1, 1] + profile, what: "the ICC profile")
  }

  /// The record of a map, or the two versions with which a picture announces one.
  mutating func gainMap(isoRecord record: [UInt8]) throws(WriteError) {
    try segment(2, Self.isoName, record, what: "the gain map record")
  }

  /// The index of a file with a second picture behind this one; `rest` is what of this one follows
  /// behind all segments. It must be the last segment.
  mutating func pictures(second: Int, rest: Int) throws(WriteError) {
    // The start of the file, this segment, and the place of the byte order in it.
    let own = 2 + bytes.count + 4 + 4 + MultiPicture.byteCount
    try segment(
      2, "MPF",
      MultiPicture.index(first: own + rest, second: second, origin: own - MultiPicture.byteCount),
      what: "the index of pictures")
  }
}

/// The index of a file of two pictures (CIPA DC-007-2009): a big-endian directory.
enum MultiPicture {
  /// Bytes of the index.
  static let byteCount = 82

  /// Sizes of both pictures, which follow each other; offsets count from `origin`, where the index
  /// stands in the file.
  static func index(first: Int, second: Int, origin: Int) -> [UInt8] {
    var bytes = BoxBytes()
    bytes.append("MM".utf8)
    bytes.u16(42)
    bytes.u32(8)
    bytes.u16(3)
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32) {
      bytes.u16(tag)
      bytes.u16(type)
      bytes.u32(count)
    }
    // Version, number of pictures, the two entries.
    entry(0xB000, 7, 4)
    bytes.append("0100".utf8)
    entry(0xB001, 4, 1)
    bytes.u32(2)
    entry(0xB002, 7, 32)
    bytes.u32(50)
    bytes.u32(0)
    // The first is the baseline primary picture, the second of no declared kind.
    for (kind, size, offset) in [(0x030000, first, 0), (0, second, first - origin)]
      as [(UInt32, Int, Int)]
    {
      bytes.u32(kind)
      bytes.u32(UInt32(clamping: size))
      bytes.u32(UInt32(clamping: offset))
      bytes.u32(0)
    }
    return bytes.bytes
  }
}
