import HDRRender
import ImageCore

/// Puts a picture and its gain map into one container (ISO/IEC 23008-12:2022 with its amendment for
/// `tmap`, ISO 21496-1:2025 annex C; Apple's auxiliary pictures).
struct GainMapHEIFFile {
  /// Apple's name for its map.
  static let appleName = "urn:com:apple:photo:2020:aux:hdrgainmap"

  let settings: GainMapHEIFWriter.Settings
  let plan: GainMapPlan
  let map: StoredGainMap
  let metadata: CaptureMetadata
  let workers: Int

  private var isISO: Bool { plan.forms.contains(.iso) }
  private var isApple: Bool { plan.forms.contains(.apple) }

  func file(
    _ picture: some PixelSource<DisplayReferred>, progress: (@Sendable (Double) -> Void)?
  ) throws -> HEIFFile {
    let mapTiles = try codedMap()
    let pictures = try CodedPictures(
      picture, settings: settings.base, workers: workers, progress: progress)
    let tiles = pictures.main
    let isMIAF = tiles.followsMIAF && mapTiles.followsMIAF
    var file = HEIFContainer(
      majorBrand: settings.base.brand,
      compatibleBrands: ["mif1", settings.base.brand] + (isMIAF ? ["miaf"] : [])
        + (isISO ? ["tmap"] : []))
    file.primary = try addBase(pictures, picture.info, to: &file)
    let mapItem = addMap(mapTiles, to: &file)
    if isISO {
      let other = file.add(toneMap(size: picture.size, map: mapItem, base: file.primary))
      file.alternatives = [other, file.primary]
    }
    let note = isApple ? AppleMakerNote.bytes(headroom: plan.appleHeadroom) : nil
    // Phones say that Exif describes both renditions; libheif before 1.16 refuses such a file.
    file.add(
      exif: try EXIF.block(metadata, size: picture.size, makerNote: note), about: [file.primary])
    file.add(xmp: XMP.packet(metadata, format: "image/heif"), about: [file.primary])
    if isApple {
      let apple = AppleGainMap(headroom: plan.appleHeadroom)
      file.add(xmp: XMP.packet(descriptions: [apple.xmpDescription]), about: [mapItem])
    }
    return try HEIFFile(file, statistics: tiles.statistics)
  }

  private func codedMap() throws -> CodedTiles {
    let samples = GainMapSamples(map: plan.image)
    let isGrey = plan.image.channels == 1
    let chroma = isGrey ? ChromaFormat.monochrome : settings.base.chroma.format
    let coding = TileCoding(
      encoding: samples.encoding(siting: chroma == .yuv420 ? .left : nil), bits: 8, chroma: chroma,
      quantiser: HEIFWriter.Settings.quantiser(quality: settings.mapQuality),
      color: isGrey ? .gainMap : .colorGainMap)
    return try CodedTiles(samples, coding: coding, workers: workers)
  }

  /// SDR pictures carry an ICC profile beside their code points, as phones write it.
  private func addBase(
    _ pictures: CodedPictures, _ info: DisplayReferred.Info, to file: inout HEIFContainer
  ) throws(WriteError) -> UInt16 {
    let base = settings.base
    var common: [HEIFProperty] = base.isHDR ? [] : [.profile(try ICCProfile.displayP3.bytes())]
    common += [.color(base.color), .depth(base.bits)]
    let light = base.light(pictures.main.statistics, headroom: info.headroom)
    return file.add(pictures, common: common, own: HEIFProperty.light(light))
  }

  private func addMap(_ tiles: CodedTiles, to file: inout HEIFContainer) -> UInt16 {
    var common: [HEIFProperty] = [.depth(8, channels: plan.image.channels)]
    if isISO { common.append(.color(tiles.coding.color)) }
    return file.add(
      tiles, common: common, own: isApple ? [.auxiliary(Self.appleName)] : [], isHidden: true,
      references: isApple ? [HEIFContainer.Reference("auxl", to: [file.primary])] : [])
  }

  /// The other rendition: a picture derived from the base and the map.
  private func toneMap(size: PixelSize, map item: UInt16, base: UInt16) -> HEIFContainer.Item {
    let isHDR = !settings.base.isHDR
    return HEIFContainer.Item(
      type: "tmap", storage: .inline([0] + plan.metadata.isoRecord),
      properties: [
        .size(size), .color(ColorCode(primaries: map.alternatePrimaries, isHDR: isHDR)),
        .depth(isHDR ? 10 : 8),
      ] + HEIFProperty.light(map.alternateLight),
      references: [HEIFContainer.Reference("dimg", to: [base, item])])
  }
}
