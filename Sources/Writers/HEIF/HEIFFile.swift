import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// A finished HEIF or AVIF in memory, as chunks.
struct HEIFFile {
  /// All chunks, in order.
  let parts: [[UInt8]]
  let size: PixelSize
  let statistics: ContentLightStatistics
  var isToneMapped = false
  var hasGainMap = false
  /// What the file could not hold unchanged.
  var notes: [String]

  /// `picture` is the primary one of `document`; `notes` precede those on its coding.
  init(
    _ document: HEIFDocument, picture: CodedTiles, writer: HEIFWriter,
    notes: [String] = []
  ) throws(WriteError) {
    do { parts = try document.chunks() } catch {
      throw WriteError(.unsupportedSize, "\(error.message); write a TIFF or reduce it")
    }
    (size, statistics) = (picture.grid.picture, picture.statistics)
    self.notes = notes
    if picture.coding.chroma != writer.chromaFormat {
      self.notes.append(
        "it was written as 4:4:4: \(writer.codec.name) in tiles of odd size has no 4:2:0")
    }
  }

  /// A picture without a gain map.
  init(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane?,
    writer: HEIFWriter, hdrMetadata: HDRMetadata, metadata: CaptureMetadata,
    progress: (@Sendable (Double) -> Void)?
  ) throws {
    try writer.check(picture.info)
    let pictures = try CodedPicture(picture, writer: writer, progress: progress)
    try self.init(
      pictures, alpha: try alpha?.coded(writer),
      headroom: picture.info.headroom, writer: writer, hdrMetadata: hdrMetadata, metadata: metadata)
  }

  /// `pictures`, one of `headroom` with its thumbnail, without a gain map.
  init(
    _ pictures: CodedPicture, alpha: CodedTiles? = nil, headroom: Float,
    writer: HEIFWriter, hdrMetadata: HDRMetadata, metadata: CaptureMetadata
  ) throws {
    let tiles = pictures.main
    let brands = writer.codec.brands(pictures.all + (alpha.map { [$0] } ?? []))
    var file = HEIFDocument(majorBrand: brands.major, compatibleBrands: brands.compatible)
    let known = hdrMetadata.filled(
      from: writer.hdrMetadata(tiles.statistics, headroom: headroom))
    file.meta.primary = file.add(
      pictures,
      common: try writer.color(adaptiveGainCurve: known.adaptiveGainCurve) + [writer.depth],
      own: HEIFProperty.light(known))
    if let alpha {
      let type = writer.codec.kind == .hevc ? HEIFProperty.hevcAlpha : HEIFProperty.alpha
      _ = file.add(
        alpha, common: [.depth(writer.settings.bits, channels: 1)], own: [.auxiliary(type)],
        isHidden: true, references: [("auxl", [file.meta.primary])])
    }
    let block = EXIF.block(metadata, size: tiles.size, in: writer.space.exif)
    file.add(exif: block.bytes, about: [file.meta.primary])
    file.add(
      xmp: XMPWriter.packet(metadata, format: writer.codec.mediaType), about: [file.meta.primary])
    try self.init(file, picture: tiles, writer: writer, notes: block.notes)
    isToneMapped = tiles.coding.encoding.toneMapping != nil
    if isToneMapped {
      notes.append(BT2390.note(peakNits: writer.space.colorSpace.peakNits))
    } else if writer.isHDR, statistics.contentHeadroom > ReferenceWhite.pqHeadroom {
      notes.append("values above PQ's 10,000 cd/m² were clipped; lower the exposure")
    } else {
      notes += statistics.clippingNotes(in: writer.space.colorSpace)
    }
  }

  /// Writes the file, whose content this is.
  func write(_ content: OutputContent, to destination: OutputDestination) throws -> WrittenFile {
    let (byteCount, contents) = try destination.write(content, chunks: parts)
    var written = WrittenFile(
      at: destination, contents: contents, byteCount: byteCount, size: size,
      statistics: statistics, isToneMapped: isToneMapped, notes: notes)
    written.hasGainMap = hasGainMap
    return written
  }
}
