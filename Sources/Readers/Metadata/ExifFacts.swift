import Containers
import HDRRender
import ImageCore

/// What the Exif block of a picture file says (CIPA DC-008): a TIFF structure within the file. A damaged
/// block says nothing; it never makes the picture unreadable.
struct ExifFacts: Sendable {
  var metadata = CaptureMetadata()
  var orientation: Orientation = .up
  /// MakerApple 33 and 48; nil for other cameras, and where one of the two is not there.
  var maker: AppleGainMap.MakerValues?

  /// `block` starts with the byte order mark.
  init(_ block: [UInt8]) {
    guard let file = try? FileBytes(block), let tiff = try? TIFFFile(file) else {
      self.init()
      return
    }
    self.init(tiff)
  }

  /// `tiff` is the block, or a whole file.
  init(_ tiff: TIFFFile) {
    metadata = CaptureMetadata(tiff)
    orientation = tiff.first[0x0112]?.integer.flatMap(Orientation.init(rawValue:)) ?? .up
    maker = tiff.directory(.exif)?[0x927C].flatMap { Self.appleValues($0.bytes) }
  }

  init() {}

  /// From Apple's maker note: after 14 bytes a big-endian directory whose offsets count from the note's
  /// start.
  private static func appleValues(_ note: [UInt8]) -> AppleGainMap.MakerValues? {
    guard note.starts(with: Array("Apple iOS\0".utf8)), let file = try? FileBytes(note),
      let count = file.integer(UInt16.self, at: 14, bigEndian: true)
    else { return nil }
    func value(_ tag: UInt16) -> Double? {
      for index in 0..<Int(count) {
        let entry = 16 + 12 * index
        guard file.integer(UInt16.self, at: entry, bigEndian: true) == tag,
          file.integer(UInt16.self, at: entry + 2, bigEndian: true) == 10,
          let offset = file.integer(UInt32.self, at: entry + 8, bigEndian: true),
          let numerator = file.integer(Int32.self, at: Int(offset), bigEndian: true),
          let denominator = file.integer(Int32.self, at: Int(offset) + 4, bigEndian: true),
          denominator != 0
        else { continue }
        return Double(numerator) / Double(denominator)
      }
      return nil
    }
    guard let headroom = value(33), let gain = value(48) else { return nil }
    return AppleGainMap.MakerValues(headroom33: headroom, gain48: gain)
  }
}
