import Containers
package import ImageCore

// Previews have the orientation of the raw, but few declare it: as a separate file they would be
// shown rotated. The missing orientation is added to Exif without recompression.
extension EmbeddedPreview {
  /// The rotation needed beyond the preview's own Exif, for a raw picture of size `stored` with
  /// `orientation`: none if Exif declares one, or if its aspect is already that of the upright
  /// picture.
  package func missing(_ orientation: Orientation, stored: PixelSize) -> Orientation {
    let own = exif.flatMap { $0.tiff.first[TIFFTag.orientation]?.integer } ?? 1
    if own != Orientation.up.rawValue { return .up }
    let isTall = size.height > size.width
    let isSquare = size.height == size.width || stored.height == stored.width
    if orientation.swapsAxes, !isSquare, isTall != (stored.height > stored.width) { return .up }
    return orientation
  }

  /// The JPEG with this orientation in its Exif, added if absent. All other bytes are preserved.
  /// Known failure: if its Exif block has no orientation, readers may ignore that block, as the
  /// added one comes first.
  package func jpeg(declaring orientation: Orientation) -> [UInt8] {
    guard orientation != .up, jpeg.count > 4 else { return jpeg }
    var jpeg = jpeg
    if let exif, let entry = exif.tiff.first[TIFFTag.orientation], entry.type == 3,
      entry.count == 1
    {
      let value = UInt16(orientation.rawValue).bytes(bigEndian: exif.tiff.bigEndian)
      let start = exif.start + entry.offset
      jpeg.replaceSubrange(start..<start + value.count, with: value)
      return jpeg
    }
    let field = TIFFField(TIFFTag.orientation, .shorts([UInt16(orientation.rawValue)]))
    let block =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0] + TIFFDirectoryWriter().bytes([field], at: 8)
    jpeg.insert(contentsOf: JPEGIdentifier.exif.segment(block), at: endOfJFIF)
    return jpeg
  }

  /// The directories of its own Exif, and the offset of their structure in the JPEG.
  var exif: (tiff: TIFFFile, start: Int)? {
    guard let file = try? FileBytes(jpeg), let range = JPEGSegments(file)?.payloads(.exif).first,
      let block = try? FileBytes(Array(jpeg[range])), let tiff = try? TIFFFile(block)
    else { return nil }
    return (tiff, range.lowerBound)
  }

  /// The offset after the start marker and JFIF, which must be the first segment.
  private var endOfJFIF: Int {
    guard let file = try? FileBytes(jpeg),
      let jfif = JPEGSegments(file)?.payloads(.jfif).first
    else { return 2 }
    return jfif.upperBound
  }
}
