/// The software that a picture or DNG names as its writer: Software of TIFF and Exif, `software` of
/// OpenEXR.
///
/// It is asked of files that lie where an output is to go. With isolation these must not reach the
/// C libraries that decode pictures and profiles either, so only the containers are parsed.
package enum WritingSoftware {
  /// Longer Exif blocks are passed over, unread.
  private static let longestBlock = 64 << 20

  /// The name in `file`; nil where there is none, or no kind of file that rawdev writes.
  package static func name(in file: FileBytes) -> String? {
    do throws(FormatError) {
      guard let kind = PictureSignature(file) else { return nil }
      let block: [UInt8]?
      switch kind {
      case .tiff: return try TIFFFile(file)?.first[TIFFTag.software]?.text
      case .jpeg:
        block = JPEGSegments(file)?.payloads(.exif).first.flatMap { bytes($0, of: file) }
      case .png: block = try chunk(in: file)
      case .heif, .avif: block = try item(in: file).flatMap(structure)
      case .jpegXL: block = try box(in: file).flatMap(structure)
      case .exr: return EXRHeader(file)?.texts["software"]
      case .radiance, .webp, .npy: return nil
      }
      return try block.flatMap { (block) throws(FormatError) in
        try TIFFFile(FileBytes(block, of: file))?.first[TIFFTag.software]?.text
      }
    } catch { return nil }
  }

  private static func bytes(_ range: Range<Int>, of file: FileBytes) -> [UInt8]? {
    range.count <= longestBlock ? file.bytes(range.lowerBound, range.count) : nil
  }

  /// The TIFF structure in an item of HEIF or a box of JPEG XL.
  private static func structure(in item: [UInt8]) -> [UInt8]? {
    ExifItem.start(in: item).map { Array(item[$0...]) }
  }

  /// The item that describes the main picture of a HEIF, which of a tone map is its base.
  private static func item(in file: FileBytes) throws(FormatError) -> [UInt8]? {
    let items = try HEIFItems(file)
    let isMap = items[items.primary]?.type == "tmap"
    let picture = isMap ? items.targets("dimg", of: items.primary).first ?? 0 : items.primary
    return HEIFItemReader(file: file, items: items).exifItem(of: picture)
  }

  /// The chunk of a PNG.
  private static func chunk(in file: FileBytes) throws(FormatError) -> [UInt8]? {
    var found: [UInt8]?
    try PNGChunk.forEach(in: file) { name, data in
      guard name == PNGChunk.exif else { return true }
      found = bytes(data, of: file)
      return false
    }
    return found
  }

  /// The box of a JPEG XL.
  private static func box(in file: FileBytes) throws(FormatError) -> [UInt8]? {
    var position = 0
    var count = file.itemCount(of: "boxes")
    while let box = file.box(at: position) {
      if box.type == "Exif" { return bytes(box.content, of: file) }
      try count.add()
      position = box.range.upperBound
    }
    return nil
  }
}
