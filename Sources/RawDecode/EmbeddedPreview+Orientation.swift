import Containers
package import ImageCore

// Previews lie as the raw does, and few say so themselves: in a file of their own they would be
// shown lying on their side. What is missing is declared in Exif, so that the coded picture keeps
// its bytes.
extension EmbeddedPreview {
  /// How it is to be turned beyond what its own Exif declares, where the raw's picture of size
  /// `stored` is to be turned by `orientation`: not at all where it declares a turn itself, or its
  /// sides are already those of the upright picture.
  package func missing(_ orientation: Orientation, stored: PixelSize) -> Orientation {
    let own = exif.flatMap { $0.tiff.first[TIFFTag.orientation]?.integer } ?? 1
    if own != Orientation.up.rawValue { return .up }
    let isTall = size.height > size.width
    let isSquare = size.height == size.width || stored.height == stored.width
    if orientation.swapsAxes, !isSquare, isTall != (stored.height > stored.width) { return .up }
    return orientation
  }

  /// The JPEG with this orientation in its Exif, which is added where it has none. All else stays
  /// byte for byte. Known failure: of an Exif block without an orientation, readers may not see
  /// what else it says, as the added one comes first.
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
    jpeg.insert(contentsOf: JPEGIdentifier.exif.segment(block), at: behindJFIF)
    return jpeg
  }

  /// The directories of its own Exif, and where their structure starts in the JPEG.
  var exif: (tiff: TIFFFile, start: Int)? {
    guard let file = try? FileBytes(jpeg), let range = JPEGSegments(file)?.payloads(.exif).first,
      let block = try? FileBytes(Array(jpeg[range])), let tiff = try? TIFFFile(block)
    else { return nil }
    return (tiff, range.lowerBound)
  }

  /// Behind the start marker, and behind JFIF, which has to be the first segment.
  private var behindJFIF: Int {
    guard let file = try? FileBytes(jpeg),
      let jfif = JPEGSegments(file)?.payloads(.jfif).first
    else { return 2 }
    return jfif.upperBound
  }
}
