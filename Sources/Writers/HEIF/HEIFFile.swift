import ImageCore
import Synchronization

/// A finished file in memory, in the pieces in which it was coded.
struct HEIFFile {
  /// Everything before the media data.
  let head: [UInt8]
  /// The media data.
  let media: [[UInt8]]
  let statistics: LightStatistics
  let isToneMapped: Bool

  /// Length of the file.
  var byteCount: Int { media.reduce(head.count) { $0 + $1.count } }

  init(
    _ picture: some PixelSource<DisplayReferred>, settings: HEIFWriter.Settings,
    metadata: CaptureMetadata, workers: Int, progress: (@Sendable (Double) -> Void)?
  ) throws {
    try Self.check(picture.info, settings)
    let grid = try TileGrid(picture.size)
    let encoding = Self.encoding(settings, headroom: picture.info.headroom)
    isToneMapped = encoding.toneMapping != nil
    let runs = grid.runs
    let coders = try (0..<min(workers, runs.count)).map { _ in
      try TileCoder(encoding, settings, tile: grid.tile)
    }
    let state = Mutex((tiles: [[UInt8]](), statistics: LightStatistics()))
    try Parallel.inOrder(count: runs.count, workers: coders.count) { index, worker in
      try coders[worker].encode(picture, rects: runs[index].map(grid.rect))
    } consume: { index, tiles in
      state.withLock {
        for tile in tiles {
          $0.tiles.append(tile.bytes)
          $0.statistics.add(tile.statistics)
        }
      }
      progress?(Double(runs[index].upperBound) / Double(grid.count))
    }
    let (tiles, light) = state.withLock { $0 }
    statistics = light
    guard
      let record = HEVCConfiguration.record(
        parameterSets: coders[0].parameterSets, bits: settings.bits, chroma: settings.chroma)
    else {
      throw WriteError(.encoderFailed, "libx265 gave no sequence parameter set")
    }
    let exif = [0, 0, 0, 0] + (try EXIF.block(metadata, size: picture.size))
    let xmp = XMP.packet(metadata, format: "image/heif")
    media = tiles + [exif, xmp]
    head = try Self.container(
      grid, settings, record, tiles: tiles.map(\.count),
      light: settings.isHDR ? Self.light(light, settings, picture.info) : [],
      exif: exif.count, xmp: xmp.count
    ).head()
  }

  private static func check(
    _ info: DisplayReferred.Info, _ settings: HEIFWriter.Settings
  ) throws(WriteError) {
    let wanted: Primaries = settings.isHDR ? .bt2020 : .displayP3
    guard info.primaries == wanted else {
      throw WriteError(
        .badSetting,
        "the picture is in \(info.primaries.rawValue), this HEIF holds \(wanted.rawValue); render "
          + "it for these primaries")
    }
  }

  private static func encoding(
    _ settings: HEIFWriter.Settings, headroom: Float
  ) -> PictureEncoding {
    let transfer: PictureEncoding.Transfer =
      switch settings.kind {
      case .hlg: .hlg
      case .pq: .pq
      case .sdr: .sdr
      }
    return PictureEncoding(
      transfer: transfer,
      toneMapping: settings.kind == .pq
        ? nil
        : BT2390(
          sourceNits: Double(headroom) * ReferenceWhite.nits, targetNits: settings.peakNits),
      conversion: YCbCrConversion(
        matrix: settings.isHDR ? .bt2020 : .bt601, bits: settings.bits),
      siting: settings.chroma == .yuv444 ? nil : settings.isHDR ? .topLeft : .left)
  }

  /// How bright the picture is and for which display it was made: HLG's own of 1000 cd/m², or for PQ
  /// one that reaches the headroom that the picture was rendered to, at least reference white.
  private static func light(
    _ statistics: LightStatistics, _ settings: HEIFWriter.Settings, _ info: DisplayReferred.Info
  ) -> [HEIFProperty] {
    let rendered = max(Double(info.headroom), 1) * ReferenceWhite.nits
    let peak = settings.kind == .hlg ? HLG.peakNits : min(rendered.rounded(), PQ.peakNits)
    return [.contentLight(statistics), .masteringDisplay(peakNits: peak)]
  }

  private static func container(
    _ grid: TileGrid, _ settings: HEIFWriter.Settings, _ record: [UInt8], tiles: [Int],
    light: [HEIFProperty], exif: Int, xmp: Int
  ) -> HEIFContainer {
    // A cropped grid of odd size and 4:2:0 is outside the rules of ISO/IEC 23000-22, though readers
    // take it, and some take nothing else for odd sizes.
    let isOdd = grid.picture.width % 2 != 0 || grid.picture.height % 2 != 0
    let followsMIAF = settings.chroma == .yuv444 || !isOdd
    var file = HEIFContainer(
      majorBrand: settings.brand,
      compatibleBrands: ["mif1", settings.brand] + (followsMIAF ? ["miaf"] : []))
    let common: [HEIFProperty] = [.color(settings.color), .depth(settings.bits)]
    var numbers: [UInt16] = []
    for bytes in tiles {
      numbers.append(
        file.add(
          HEIFContainer.Item(
            type: "hvc1", storage: .media(bytes), isHidden: !grid.isSinglePicture,
            properties: [.decoderConfiguration(record), .size(grid.tile)] + common
              + (grid.isSinglePicture ? light : []))))
    }
    if !grid.isSinglePicture {
      file.primary = file.add(
        HEIFContainer.Item(
          type: "grid", storage: .inline(grid.payload),
          properties: [.size(grid.picture)] + common + light, reference: ("dimg", numbers)))
    }
    _ = file.add(
      HEIFContainer.Item(
        type: "Exif", storage: .media(exif), isHidden: true,
        reference: ("cdsc", [file.primary])))
    _ = file.add(
      HEIFContainer.Item(
        type: "mime", storage: .media(xmp), isHidden: true, contentType: "application/rdf+xml",
        reference: ("cdsc", [file.primary])))
    return file
  }
}
