import Codecs
import Containers
package import Formats
import HDRRender
package import ImageCore

/// Puts a picture and its gain map into one HEIF or AVIF (ISO/IEC 23008-12:2022 with its amendment
/// for `tmap`, ISO 21496-1:2025 annex C; Apple's auxiliary pictures).
package struct GainMapHEIFFile {
  let settings: StillSettings
  /// Of the map, in steps of the codec.
  let mapQuantizer: Int
  let plan: GainMapEncoding
  let map: StoredGainMap
  let metadata: CaptureMetadata
  let workers: Int

  /// Throws when the map does not belong to a picture of `info` in such a file, or none of `forms`
  /// can hold it.
  package init(
    _ info: DisplayReferred.Info, _ map: StoredGainMap, settings: StillSettings,
    forms: GainMapDialects, mapQuantizer: Int, metadata: CaptureMetadata, workers: Int
  ) throws(WriteError) {
    try settings.check(info)
    guard
      settings.signal == .pq
        || BT2390(
          sourceNits: Double(info.headroom) * ReferenceWhite.nits, targetNits: settings.peakNits)
          == nil
    else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than this \(settings.codec.name) can hold, and its gain map would "
          + "not fit what is left of it; render it to \(Int(settings.peakNits)) cd/m²")
    }
    guard map.metadata.isBaseHDR == settings.isHDR else {
      throw WriteError(
        .badSetting,
        settings.isHDR
          ? "the gain map leads up from an SDR picture, this one is HDR; make the map for it"
          : "the gain map leads down from an HDR picture, this one is SDR; make the map for it")
    }
    plan = try GainMapEncoding(map, wanted: forms)
    (self.settings, self.mapQuantizer, self.map) = (settings, mapQuantizer, map)
    (self.metadata, self.workers) = (metadata, workers)
  }

  private var isISO: Bool { plan.forms.contains(.iso) }
  private var isApple: Bool { plan.forms.contains(.apple) }

  package func file(
    _ picture: some PixelSource<DisplayReferred>, progress: (@Sendable (Double) -> Void)?
  ) throws -> HEIFFile {
    let mapTiles = try codedMap()
    let pictures = try CodedPictures(
      picture, settings: settings, workers: workers, progress: progress)
    let brands = settings.codec.brands(pictures.all + [mapTiles])
    var file = HEIFDocument(
      majorBrand: brands.major, compatibleBrands: brands.compatible + (isISO ? ["tmap"] : []))
    file.meta.primary = try addBase(pictures, picture.info, to: &file)
    let base = file.meta.primary
    let mapItem = addMap(mapTiles, to: &file)
    var alternatives: [Int] = []
    if isISO {
      alternatives = [addToneMap(size: picture.size, map: mapItem, to: &file), base]
    }
    let note = isApple ? AppleMakerNote.bytes(headroom: plan.appleHeadroom) : nil
    // Phones say that Exif describes both renditions; libheif before 1.16 refuses such a file.
    file.add(
      exif: EXIF.block(metadata, size: picture.size, makerNote: note), about: [base])
    file.add(xmp: XMPWriter.packet(metadata, format: settings.codec.mediaType), about: [base])
    if isApple {
      let apple = AppleGainMap(headroom: plan.appleHeadroom)
      file.add(xmp: XMPWriter.packet(descriptions: [apple.xmpDescription]), about: [mapItem])
    }
    // Its number must be none of an item's.
    if isISO { file.meta.group("altr", alternatives, anchor: base) }
    return try HEIFFile(file, picture: pictures.main, settings: settings, notes: plan.notes)
  }

  private func codedMap() throws -> CodedTiles {
    let samples = GainMapSamples(map: plan.image)
    let isGray = plan.image.channels == 1
    let codec = settings.codec
    let chroma =
      isGray ? .monochrome : TileGrid.chroma(settings.chroma, of: samples.size, codec)
    let coding = TileCoding(
      codec: codec, encoding: samples.encoding(siting: chroma == .yuv420 ? .left : nil), bits: 8,
      chroma: chroma,
      quantizer: mapQuantizer,
      color: isGray ? .gainMap : .colorGainMap)
    return try CodedTiles(samples, coding: coding, workers: workers)
  }

  /// SDR pictures carry an ICC profile beside their code points, as phones write it.
  private func addBase(
    _ pictures: CodedPictures, _ info: DisplayReferred.Info, to file: inout HEIFDocument
  ) throws(WriteError) -> Int {
    var common: [HEIFProperty] = settings.isHDR ? [] : [.profile(try ICCProfile.displayP3.bytes())]
    common += [.color(settings.color), .depth(settings.bits)]
    let light = settings.light(pictures.main.statistics, headroom: info.headroom)
    return file.add(pictures, common: common, own: HEIFProperty.light(light))
  }

  private func addMap(_ tiles: CodedTiles, to file: inout HEIFDocument) -> Int {
    var common: [HEIFProperty] = [.depth(8, channels: plan.image.channels)]
    if isISO { common.append(.color(tiles.coding.color)) }
    return file.add(
      tiles, common: common, own: isApple ? [.auxiliary(HEIFProperty.appleGainMap)] : [],
      isHidden: true,
      references: isApple ? [("auxl", [file.meta.primary])] : [])
  }

  /// The other rendition: a picture derived from the base and the map.
  private func addToneMap(size: PixelSize, map item: Int, to file: inout HEIFDocument) -> Int {
    let isHDR = !settings.isHDR
    let properties: [HEIFProperty] = [
      .size(size), .color(ColorCode(primaries: map.alternatePrimaries, isHDR: isHDR)),
      .depth(isHDR ? 10 : 8),
    ]
    return file.add(
      "tmap", .new([0] + plan.metadata.isoRecord, isInline: true),
      properties: properties + HEIFProperty.light(map.alternateLight),
      references: [("dimg", [file.meta.primary, item])])
  }
}
