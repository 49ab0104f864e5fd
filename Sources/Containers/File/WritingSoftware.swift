import ImageCore

/// What a picture or DNG says of how it was made: the software that it names as its writer
/// (Software of TIFF and Exif, `software` of OpenEXR), and in its XMP, of what and who edited that.
///
/// It is asked of files that lie where an output is to go. With isolation these must not reach the
/// C libraries that decode pictures and profiles either, so only the containers are parsed.
package struct WritingSoftware: Sendable {
  /// Its name; nil where none is named.
  package private(set) var name: String?
  private var packet: [UInt8]?
  private var capture: String?
  /// Whether it is a DNG, which has the packet of its raw, whatever program wrote that.
  private var isDNG = false

  private static let packetKeyword = Array("XML:com.adobe.xmp\0".utf8)

  /// The writing software of `file`; empty for types that rawdev does not write.
  package init(in file: FileBytes) {
    do throws(FormatError) {
      guard let kind = PictureSignature(file) else { return }
      var exif: [UInt8]?
      switch kind {
      case .tiff:
        guard let tiff = try TIFFFile(file) else { return }
        read(tiff)
        packet = tiff.first[TIFFTag.xmp]?.bytes
        isDNG = tiff.first[DNGTag.version] != nil
      case .jpeg:
        guard let segments = JPEGSegments(file) else { return }
        exif = segments.payloads(.exif).first.flatMap { Self.bytes($0, of: file) }
        packet = segments.payloads(.xmp).first.flatMap { Self.bytes($0, of: file) }
      case .png: (exif, packet) = try Self.chunks(of: file)
      case .heif, .avif: (exif, packet) = try Self.items(of: file)
      case .jpegXL: (exif, packet) = try Self.boxes(of: file)
      case .exr:
        let texts = EXRHeader(file)?.texts ?? [:]
        (name, packet) = (texts["software"], texts["xmp"].map { Array($0.utf8) })
      case .radiance, .webp, .npy: return
      }
      if let exif, let tiff = try TIFFFile(FileBytes(exif, of: file)) { read(tiff) }
    } catch { return }
  }

  private mutating func read(_ tiff: TIFFFile) {
    (name, capture) = (tiff.first[TIFFTag.software]?.text, CaptureMetadata(tiff).capture)
  }

  /// Whether another program wrote the XMP last: it names its own library, as rawdev does not in
  /// the packets it writes. Unknown for a DNG.
  package var isEditedByOthers: Bool {
    guard let packet, !isDNG else { return false }
    let head = packet.prefix(4096)
    let end = head.firstRange(of: Array("<rdf:RDF".utf8))?.lowerBound ?? head.endIndex
    return head[..<end].firstRange(of: Array(":xmptk".utf8)) != nil
  }

  /// The picture that it was made of, of a DNG by the digest of that file; nil where it names none.
  package var source: SourcePicture? {
    packet.flatMap { XMPSourceReference.document(in: $0) }.map {
      SourcePicture(document: $0, capture: capture)
    }
  }

  private static func bytes(_ range: Range<Int>, of file: FileBytes) -> [UInt8]? {
    range.count <= FormatLimits.blockBytes ? file.bytes(range.lowerBound, range.count) : nil
  }

  /// The TIFF structure in an item of HEIF or a box of JPEG XL.
  private static func structure(in item: [UInt8]) -> [UInt8]? {
    ExifItem.start(in: item).map { Array(item[$0...]) }
  }

  /// The items that describe the main picture of a HEIF, which of a tone map is its base.
  private static func items(
    of file: FileBytes
  ) throws(FormatError) -> (exif: [UInt8]?, packet: [UInt8]?) {
    let items = try HEIFItems(file)
    let isMap = items[items.primary]?.type == "tmap"
    let picture = isMap ? items.targets("dimg", of: items.primary).first ?? 0 : items.primary
    let reader = HEIFItemReader(file: file, items: items)
    return (
      reader.exifItem(of: picture).flatMap(structure), reader.xmpItem(of: picture)
    )
  }

  /// The chunks of a PNG. A packet that is compressed, as none by rawdev is, is passed over.
  private static func chunks(
    of file: FileBytes
  ) throws(FormatError) -> (exif: [UInt8]?, packet: [UInt8]?) {
    var found: (exif: [UInt8]?, packet: [UInt8]?)
    try PNGChunk.forEach(in: file) { name, data in
      if name == PNGChunk.exif { found.exif = bytes(data, of: file) }
      if name == PNGChunk.text, found.packet == nil, let chunk = bytes(data, of: file),
        chunk.starts(with: packetKeyword + [0])
      {
        found.packet = Array(chunk.dropFirst(packetKeyword.count + 4))
      }
      return found.exif == nil || found.packet == nil
    }
    return found
  }

  /// The boxes of a JPEG XL.
  private static func boxes(
    of file: FileBytes
  ) throws(FormatError) -> (exif: [UInt8]?, packet: [UInt8]?) {
    var found: (exif: [UInt8]?, packet: [UInt8]?)
    var position = 0
    var count = file.itemCount(of: "boxes")
    while let box = file.box(at: position) {
      if box.type == "Exif" { found.exif = bytes(box.content, of: file).flatMap(structure) }
      if box.type == "xml " { found.packet = bytes(box.content, of: file) }
      try count.add()
      position = box.range.upperBound
    }
    return found
  }
}
