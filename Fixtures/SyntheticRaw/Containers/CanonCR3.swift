import ImageCore

/// Canon's CR3: an ISO base media file of brand `crx `. The movie box begins with Canon's own box,
/// whose CMT1, CMT2 and CMT3 are TIFF structures: the camera, the Exif, the maker note. A track
/// says in CMP1 how the mosaic in the media data is coded (`CanonCRX`): version 1, size, size of
/// the tiles, bits, planes and the order of the filters, kind of coding and number of wavelet
/// levels, length of the header.
///
/// Source: the published description of CR3 (Clevy, github.com/lclevy/canon_cr3).
struct CanonCR3 {
  let raw: CameraContainer

  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  func written() throws(CameraContainer.Problem) -> CameraContainer.Written {
    let coder = try CanonCRX(raw)
    // The offset of the media data is as long as any other.
    let head = try self.head(media: coder, at: 0)
    let offset = head.count + 16
    var out = ByteStream(order: .big)
    out.bytes = try self.head(media: coder, at: offset)
    out.append(UInt32(1))
    out.bytes += Array("mdat".utf8)
    out.append(UInt64(16 + coder.bytes.count))
    return CameraContainer.Written(bytes: out.bytes + coder.bytes, samples: raw.samples)
  }

  /// File type and movie.
  private func head(media: CanonCRX, at offset: Int) throws(CameraContainer.Problem) -> [UInt8] {
    var camera = raw.camera
    camera.children = []
    camera.directory[256] = .shorts([UInt16(raw.area.width)])
    camera.directory[257] = .shorts([UInt16(raw.area.height)])
    let note = raw.canonNote(modelNumber: 0x8000_0465, version: 9)
    let blocks =
      box("CNCV", Array("CanonCR3_001/00.09.00/00.00.00".utf8))
      + box("CMT1", try camera.file(order: .little))
      + box("CMT2", try TIFFNode(directory: raw.exif).file(order: .little))
      + box("CMT3", try TIFFNode(directory: note).file(order: .little))
    let movie = box("uuid", Self.canon + blocks) + track(media: media, at: offset)
    let brand = Array("crx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8)
    return box("ftyp", brand) + box("moov", movie)
  }

  private func track(media: CanonCRX, at offset: Int) -> [UInt8] {
    let (width, height) = (raw.size.width, raw.size.height)
    var coding = ByteStream(order: .big)
    coding.append(UInt32(0xFFFF_0030))
    coding.append(UInt32(0x0100_0000))
    for side in [width, height, width, height] { coding.append(UInt32(side)) }
    coding.bytes += [UInt8(raw.bits), 0x40 | media.filterOrder, 0, 0]
    coding.append(UInt32(CanonCRX.headerBytes))
    coding.bytes += [UInt8](repeating: 0, count: 20)

    var entry = ByteStream(order: .big)
    entry.bytes = [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
    for value in [width, height, 72, 0, 72, 0, 0, 0, 1] { entry.append(UInt16(value)) }
    // Of a visual sample entry the name of the compressor, depth, and Canon's own flags follow.
    entry.bytes += [UInt8](repeating: 0, count: 82 - entry.bytes.count)
    let description = box("CRAW", entry.bytes + box("CMP1", coding.bytes))

    func numbers(_ values: [UInt32]) -> [UInt8] {
      var out = ByteStream(order: .big)
      for value in values { out.append(value) }
      return out.bytes
    }
    var chunk = ByteStream(order: .big)
    chunk.bytes = numbers([0, 1])
    chunk.append(UInt64(offset))
    let table =
      box("stsd", numbers([0, 1]) + description)
      + box("stts", numbers([0, 1, 1, 1])) + box("stsc", numbers([0, 1, 1, 1, 1]))
      + box("stsz", numbers([0, UInt32(media.bytes.count), 1])) + box("co64", chunk.bytes)
    let handler = numbers([0, 0]) + Array("vide".utf8) + [UInt8](repeating: 0, count: 13)
    return box("trak", box("mdia", box("hdlr", handler) + box("minf", box("stbl", table))))
  }

  private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var out = ByteStream(order: .big)
    out.append(UInt32(8 + content.count))
    return out.bytes + Array(name.utf8) + content
  }
}
