import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// Puts a picture and its gain map into one HEIF or AVIF (ISO/IEC 23008-12:2022 with its amendment
/// for `tmap`, ISO 21496-1:2025 annex C; Apple's auxiliary pictures).
struct GainMapHEIFFile {
  private let writer: HEIFWriter
  private let plan: GainMapEncoding
  private let map: StoredGainMap
  private let metadata: CaptureMetadata

  /// Throws when the map does not fit a picture in such a file, or none of the wanted formats can
  /// hold it.
  init(
    _ map: StoredGainMap, writer: HEIFWriter, metadata: CaptureMetadata
  ) throws(WriteError) {
    let settings = writer.settings
    guard map.metadata.isBaseHDR == writer.isHDR else {
      throw WriteError(
        .badSetting,
        writer.isHDR
          ? "the gain map has an SDR base, the picture is HDR; make the map for it"
          : "the gain map has an HDR base, the picture is SDR; make the map for it")
    }
    let held = settings.mapFormats.intersection(settings.container.descriptor.mapFormats)
    plan = try GainMapEncoding(map, wanted: held)
    (self.writer, self.map, self.metadata) = (writer, map, metadata)
  }

  private var isISO: Bool { plan.formats.contains(.iso) }
  private var isApple: Bool { plan.formats.contains(.apple) }

  /// The file of `pictures`, one of `headroom` with its thumbnail.
  func file(_ pictures: CodedPicture, headroom: Float) throws -> HEIFFile {
    let (mapTiles, size) = (try codedMap(), pictures.main.size)
    let brands = writer.codec.brands(pictures.all + [mapTiles])
    var file = HEIFDocument(
      majorBrand: brands.major, compatibleBrands: brands.compatible + (isISO ? ["tmap"] : []))
    file.meta.primary = try addBase(pictures, headroom, to: &file)
    let base = file.meta.primary
    let mapItem = addMap(mapTiles, to: &file)
    var alternatives: [Int] = []
    if isISO {
      alternatives = [addToneMap(size: size, map: mapItem, to: &file), base]
    }
    let block = EXIF.block(
      metadata, size: size, in: writer.space.exif,
      appleHeadroom: isApple ? plan.makerHeadroom : nil)
    // Phones let Exif describe both renditions; libheif before 1.16 rejects such a file.
    file.add(exif: block.bytes, about: [base])
    file.add(xmp: XMPWriter.packet(metadata, format: writer.codec.mediaType), about: [base])
    if isApple {
      let apple = AppleGainMap(headroom: plan.appleHeadroom)
      file.add(xmp: XMPWriter.packet(descriptions: [apple.xmpDescription]), about: [mapItem])
    }
    // Its number must differ from all item numbers.
    if isISO { file.meta.group("altr", alternatives, anchor: base) }
    var made = try HEIFFile(
      file, picture: pictures.main, writer: writer, notes: plan.notes + block.notes)
    made.hasGainMap = true
    return made
  }

  private func codedMap() throws -> CodedTiles {
    let samples = GainMapSamples(map: plan.image)
    let (codec, settings) = (writer.codec, writer.settings)
    let chroma =
      plan.image.channels == 1
      ? .monochrome
      : TileGrid.chroma(settings.chroma.format, of: samples.size, codec, settings.tiles)
    let coding = samples.tileCoding(
      codec, tiles: settings.tiles, chroma: chroma, siting: chroma == .yuv420 ? .left : nil,
      quality: Double(settings.codedMapQuality))
    return try CodedTiles(samples, coding: coding, workers: writer.workers)
  }

  private func addBase(
    _ pictures: CodedPicture, _ headroom: Float, to file: inout HEIFDocument
  ) throws(WriteError) -> Int {
    let common = try writer.color(isBase: true) + [.depth(writer.settings.bits)]
    let hdrMetadata = writer.hdrMetadata(pictures.main.statistics, headroom: headroom)
    return file.add(pictures, common: common, own: HEIFProperty.light(hdrMetadata))
  }

  private func addMap(_ tiles: CodedTiles, to file: inout HEIFDocument) -> Int {
    var common: [HEIFProperty] = [.depth(8, channels: plan.image.channels)]
    if isISO { common.append(tiles.color) }
    return file.add(
      tiles, common: common, own: isApple ? [.auxiliary(HEIFProperty.appleGainMap)] : [],
      isHidden: true,
      references: isApple ? [("auxl", [file.meta.primary])] : [])
  }

  /// The alternate rendition: an item derived from the base and the map.
  private func addToneMap(size: PixelSize, map item: Int, to file: inout HEIFDocument) -> Int {
    let properties =
      [.size(size)] + CodedGainMap.alternate(map.alternatePrimaries, isHDR: !writer.isHDR)
    return file.add(
      "tmap", .new([0] + plan.metadata.isoRecord, isInline: true),
      properties: properties + HEIFProperty.light(map.alternateHDRMetadata),
      references: [("dimg", [file.meta.primary, item])])
  }
}
