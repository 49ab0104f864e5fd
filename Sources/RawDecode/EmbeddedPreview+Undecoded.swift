import Codecs
package import Containers
package import Foundation
package import ImageCore

// Servers and file managers use previews, and most unsupported or truncated raws still contain one.
extension EmbeddedPreview {
  /// The largest complete preview of the raw at `url`, and the rotation needed beyond its own Exif.
  /// Found by directories or boxes alone, whether or not the raw picture can be read. Nil if there
  /// is none.
  ///
  /// Positions: in a TIFF as ``init(in:_:)`` finds them; in Fujifilm's RAF at the offset and length
  /// stored at 84 and 88; in Canon's CR3 in the first track, and smaller in a box of the file.
  package static func ofUndecoded(
    _ url: URL, limits: DecodeLimits = DecodeLimits()
  ) -> (preview: EmbeddedPreview, orientation: Orientation)? {
    (try? FileBytes(url, limits: limits)).flatMap { ofUndecoded($0) }
  }

  /// The same for `file`.
  package static func ofUndecoded(
    _ file: FileBytes
  ) -> (preview: EmbeddedPreview, orientation: Orientation)? {
    var found: EmbeddedPreview?
    var declared: Int?
    if let tiff = try? TIFFFile(file) {
      found = EmbeddedPreview(in: tiff, file)
      declared = tiff.first[TIFFTag.orientation]?.integer
    } else if file.matches("FUJIFILMCCD-RAW", at: 0) {
      let start = file.integer(UInt32.self, at: 84, bigEndian: true).map { Int($0) } ?? 0
      let count = file.integer(UInt32.self, at: 88, bigEndian: true).map { Int($0) } ?? 0
      found = EmbeddedPreview(complete: start, count, file)
    } else if let boxes = try? CR3Boxes(file) {
      found = boxes.jpegs.compactMap { EmbeddedPreview(complete: $0.lowerBound, $0.count, file) }
        .max { $0.size.area < $1.size.area }
      let block = boxes.blocks["CMT1"].flatMap { try? TIFFFile(file, base: $0.lowerBound) }
      declared = block?.first[TIFFTag.orientation]?.integer
    }
    guard let found, !file.isLost else { return nil }
    // Sensors are wider than high.
    let sides = [found.size.width, found.size.height].sorted()
    let orientation = found.missing(
      declared.flatMap { Orientation(rawValue: $0) } ?? .up,
      stored: PixelSize(width: sides[1], height: sides[0]))
    return (found, orientation)
  }

  /// The note on a preview used instead of a raw picture that cannot be read because of `reason`.
  package static func insteadNote(_ reason: String) -> String {
    "only the camera's preview can be read: \(reason)"
  }

  /// The JPEG at `offset`, of `count` bytes, if it is complete.
  private init?(complete offset: Int, _ count: Int, _ file: FileBytes) {
    guard let data = file.view(offset, count), data.isJPEG,
      let segments = JPEGSegments(file, at: offset), segments.excess == nil
    else { return nil }
    self.init(data.bytes(0..<count), limits: file.limits)
  }
}
