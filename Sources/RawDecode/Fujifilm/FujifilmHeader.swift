import Containers
import ImageCore

/// The header of Fujifilm's compressed mosaics, big-endian, validated:
///
/// | bytes | what |
/// |---|---|
/// | 2 | 0x4953 |
/// | 1 | 1 lossless, 0 lossy |
/// | 1 | 16 X-Trans, 0 Bayer |
/// | 1 | bits of a sample: 12, 14, 16 |
/// | 2, 2, 2 | rows; columns, rounded up to full strips; columns |
/// | 2, 1, 2 | columns of a strip, 768; strips; groups of six rows |
/// | 4 each | bytes of each strip |
/// | 1 each | lossy: the base of quantization of each group, strip by strip |
///
/// The lengths are padded to a multiple of 16 bytes from the start, as are the bases of each strip.
/// The strips follow, from left to right. The last is coded in full width, whatever is cropped.
///
/// Source: published analyses (LibRaw's and rawspeed's decoders; FujifilmCompression of the
/// simulator writes the same).
struct FujifilmHeader: Sendable {
  /// Columns of a strip.
  static let strip = 768
  /// Rows that are coded together.
  static let group = 6
  private static let byteCount = 16
  private static let signature: UInt16 = 0x4953

  let isLossless: Bool
  let isXTrans: Bool
  let bits: Int
  /// Columns and rows of the full mosaic.
  let size: PixelSize
  let strips: Int
  /// Groups of six rows.
  let groups: Int
  private let start: Int

  /// The header at `start` of `file`; nil if there is none, or it is inconsistent.
  init?(_ file: FileBytes, at start: Int) {
    func word(_ offset: Int) -> Int? {
      file.integer(UInt16.self, at: start + offset, bigEndian: true).map { Int($0) }
    }
    guard word(0) == Int(Self.signature), let head = file.bytes(start, Self.byteCount),
      let height = word(5), let rounded = word(7), let width = word(9), let strip = word(11),
      let groups = word(14)
    else { return nil }
    let strips = Int(head[13])
    guard head[2] <= 1, [0, 16].contains(head[3]), [12, 14, 16].contains(head[4]),
      height > 0, height == Self.group * groups,
      strip == Self.strip, strips > 0, rounded == strip * strips,
      width <= rounded, width > rounded - strip
    else { return nil }
    (isLossless, isXTrans, bits) = (head[2] == 1, head[3] == 16, Int(head[4]))
    size = PixelSize(width: width, height: height)
    (self.strips, self.groups, self.start) = (strips, groups, start)
  }

  /// The compression type at `start` of `file`, 1 lossless, 0 lossy; nil if no compressed mosaic
  /// starts there.
  static func kind(_ file: FileBytes, at start: Int) -> UInt8? {
    guard file.integer(UInt16.self, at: start, bigEndian: true) == signature else { return nil }
    return file.bytes(start + 2, 1)?.first
  }

  /// A strip: its bytes, and the bases of its groups if it is lossy.
  struct Strip {
    let data: ByteView
    let bases: ByteView?
  }

  /// All strips; nil if a length is invalid or one exceeds the end of `file`.
  func contents(of file: FileBytes) -> [Strip]? {
    func padded(_ count: Int) -> Int { (count + 15) & ~15 }
    let lengths = (0..<strips).compactMap { index in
      file.integer(UInt32.self, at: start + Self.byteCount + 4 * index, bigEndian: true)
        .map { Int($0) }
    }
    guard lengths.count == strips else { return nil }
    let firstBases = start + padded(Self.byteCount + 4 * strips)
    let perStrip = isLossless ? 0 : padded(groups)
    var next = firstBases + strips * perStrip
    var found: [Strip] = []
    for (index, length) in lengths.enumerated() {
      guard length > 0, let data = file.view(next, length) else { return nil }
      let bases = isLossless ? nil : file.view(firstBases + index * perStrip, groups)
      guard isLossless || bases != nil else { return nil }
      found.append(Strip(data: data, bases: bases))
      next += length
    }
    return found
  }
}
