import Containers
import ImageCore

/// The header of a Radiance picture (`ray/doc/filefmts.pdf`): lines of text up to an empty one,
/// then the resolution, as `-Y 480 +X 640`. Its axes are the order in which pixels are stored.
struct RadianceHeader: Sendable {
  private static let marks = ["#?RADIANCE", "#?RGBE"]

  /// Columns and rows as stored: the pixels of a scan line and their number.
  let stored: PixelSize
  /// How these are turned upright.
  let orientation: Orientation
  /// x and y of red, green, blue and white.
  let primaries: [Double]?
  /// Whether samples are CIE XYZ.
  let isXYZ: Bool
  /// Whether the values were multiplied by exposures.
  let hasExposure: Bool
  /// Where the pixels begin.
  let start: Int

  /// Whether `file` begins as such a picture does.
  static func isAt(start bytes: [UInt8]) -> Bool {
    marks.contains { bytes.starts(with: Array($0.utf8)) }
  }

  /// Nil where it is damaged.
  init?(_ file: FileBytes) {
    guard let bytes = file.bytes(0, min(file.count, FormatLimits.radianceHeaderBytes)) else {
      return nil
    }
    var at = 0
    func line() -> String? {
      guard let end = bytes[at...].firstIndex(of: 10) else { return nil }
      defer { at = end + 1 }
      return String(decoding: bytes[at..<end], as: UTF8.self)
    }
    // Of several exposures the product holds.
    var (points, isXYZ, exposure): ([Double]?, Bool, Double) = (nil, false, 1)
    while true {
      guard let text = line() else { return nil }
      if text.isEmpty || text == "\r" { break }
      guard let equals = text.firstIndex(of: "=") else { continue }
      let value = text[text.index(after: equals)...]
      switch text[..<equals] {
      case "FORMAT": isXYZ = value.contains("xyze")
      case "EXPOSURE": exposure *= Double(value.filter { !$0.isWhitespace }) ?? 1
      case "PRIMARIES":
        let numbers = value.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        if numbers.count == 8 { points = numbers }
      default: break
      }
    }
    guard let parts = line()?.split(whereSeparator: \.isWhitespace), parts.count == 4,
      let first = Int(parts[1]), let second = Int(parts[3]), first > 0, second > 0,
      first <= PixelSize.largestSide, second <= PixelSize.largestSide,
      let turned = Self.orientations["\(parts[0]) \(parts[2])"]
    else { return nil }
    (stored, orientation) = (PixelSize(width: second, height: first), turned)
    (primaries, self.isXYZ, hasExposure, start) = (points, isXYZ, exposure != 1, at)
  }

  /// The Exif orientation of rows along the second axis: −Y counts from the top, +X from the left.
  private static let orientations: [String: Orientation] = [
    "-Y +X": .up, "-Y -X": .upMirrored, "+Y -X": .down, "+Y +X": .downMirrored,
    "+X -Y": .leftMirrored, "-X -Y": .right, "-X +Y": .rightMirrored, "+X +Y": .left,
  ]
}
