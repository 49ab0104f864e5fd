import Containers
import ImageCore
import RawFilter

/// A sound DNG of 64 × 48 photosites around one damaged part: whatever a fuzzer does to the part,
/// the decoder behind it is reached.
enum DNGShell {
  private static let size = PixelSize(width: 64, height: 48)

  static func open(compression: UInt16, strip: [UInt8]) throws {
    try develop(strip, compression: compression, [])
  }

  /// One byte chooses the list and how much of the lens is corrected, the others are its bytes.
  static func open(opcodeLists bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let list = TIFFField(
      51008 + UInt16(first % 3) + (first % 3 == 2 ? 12 : 0), .undefined(Array(bytes.dropFirst())))
    try develop(plain, compression: 1, [list], lens: first < 128 ? 1 : 0.5)
  }

  /// One byte chooses between ProfileGainTableMap and ProfileGainTableMap2.
  static func open(gainTableMap bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let tag: UInt16 = first % 2 == 0 ? 52525 : 52544
    try develop(plain, compression: 1, [TIFFField(tag, .undefined(Array(bytes.dropFirst())))])
  }

  private static let plain = (0..<2 * size.area).map { UInt8(truncatingIfNeeded: $0 * 37 % 61) }

  private static func develop(
    _ strip: [UInt8], compression: UInt16, _ more: [TIFFField], lens: Float = 1
  ) throws {
    let matrix: [Int32] = [9, -3, -1, -4, 12, 2, -1, 2, 7]
    let header = 8
    let fields: [TIFFField] =
      [
        TIFFField(254, .longs([0])), TIFFField(256, .longs([UInt32(size.width)])),
        TIFFField(257, .longs([UInt32(size.height)])), TIFFField(258, .shorts([16])),
        TIFFField(259, .shorts([compression])), TIFFField(262, .shorts([32803])),
        TIFFField(271, .ascii("rawdev")), TIFFField(272, .ascii("shell")),
        TIFFField(273, .longs([UInt32(header)])), TIFFField(277, .shorts([1])),
        TIFFField(278, .longs([UInt32(size.height)])),
        TIFFField(279, .longs([UInt32(strip.count)])), TIFFField(33421, .shorts([2, 2])),
        TIFFField(33422, .bytes([0, 1, 1, 2])), TIFFField(50706, .bytes([1, 7, 0, 0])),
        TIFFField(50717, .longs([65535])),
        TIFFField(
          50721, .signedRationals(matrix.map { SignedRational($0, 10) })),
        TIFFField(50778, .shorts([21])),
      ] + more
    let offset = header + strip.count + strip.count % 2
    let directory = TIFFDirectoryWriter().bytes(fields, at: offset)
    let start: [UInt8] = [0x49, 0x49, 42, 0] + UInt32(offset).bytes(bigEndian: false)
    try Pictures.raw(start + strip + (strip.count % 2 == 0 ? [] : [0]) + directory) { filter in
      // Without what takes most of the time and reads nothing of the part.
      filter.isDefectCorrectionEnabled = false
      filter.luminanceNoiseReductionAmount = 0
      filter.colorNoiseReductionAmount = 0
      filter.isLateralColorCorrectionEnabled = false
      filter.sharpnessAmount = 0
      filter.lensDistortionAmount = lens
    }
  }
}
