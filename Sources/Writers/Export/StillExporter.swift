public import HDRRender
public import ImageCore

/// A finished picture of any range written as ``EncoderSettings`` say, in one call: size, range, primaries and
/// code. What the file cannot hold is tone-mapped, never clipped; standard range keeps its white, which in a
/// file of high range is 203 cd/m² (BT.2408).
public struct StillExporter: Sendable {
  /// How pictures are written.
  public let settings: EncoderSettings
  private let workers: Int

  /// Throws where the settings do not go together.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    try settings.validate()
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture` to `path`, whole or not at all. Light levels and mastering display of a file of high
  /// range are measured where `light`, which HEIF, AVIF and of these two PNG take, does not state them. Throws
  /// ``WriteError``, or `OperatorError` for a picture that cannot be made so.
  public func write(
    _ picture: DisplayPicture, metadata: CaptureMetadata = CaptureMetadata(),
    light: LightMetadata = LightMetadata(), to path: String
  ) throws -> WrittenFile {
    var picture = picture
    if let side = settings.maximumSide { picture = try picture.thumbnail(maxPixelSize: side) }
    if settings.hasGainMap { return try writeWithMap(picture, metadata, path) }
    let coded: any PixelSource<DisplayReferred>
    if settings.isSceneReferred {
      coded = try HLGSceneLight(shown(picture, .high), .toDisplay)
    } else {
      coded = shown(picture, settings.transfer == .standard ? .standard : .high)
    }
    switch settings.container {
    case .heif:
      return try HEIFWriter(heif, workers: workers)
        .write(coded, metadata: metadata, light: light, to: path)
    case .avif:
      return try AVIFWriter(avif, workers: workers)
        .write(coded, metadata: metadata, light: light, to: path)
    case .jpeg:
      return try JPEGWriter(jpeg, workers: workers).write(coded, metadata: metadata, to: path)
    case .png:
      return try PNGPictureWriter(png, workers: workers)
        .write(coded, metadata: metadata, light: light, to: path)
    case .tiff:
      return try TIFFWriter(encoding: .integer16(tiff), workers: workers)
        .write(coded, metadata: metadata, to: path)
    case .jpegXL:
      let kind: JPEGXLWriter.Kind =
        settings.transfer == .pq ? .pq : settings.transfer == .hlg ? .hlg : .displayP3
      // As cjxl turns its quality into a distance.
      let distance = settings.quality.map { $0 == 1 ? 0 : Float(0.1 + (1 - $0) * 9) }
      return try JPEGXLWriter(
        kind, distance: distance ?? JPEGXLWriter.defaultDistance, workers: workers
      ).write(coded, metadata: metadata, to: path)
    }
  }

  private func shown(_ picture: DisplayPicture, _ range: DisplayRendering.DynamicRange)
    -> any PixelSource<DisplayReferred>
  {
    PrimariesConversion(
      DisplayRendering(range, displayHeadroom: picture.contentHeadroom)(picture),
      to: settings.primaries)
  }

  /// The map goes over as it is where it leads up from a base in the file's primaries, else a new one is made.
  private func writeWithMap(
    _ picture: DisplayPicture, _ metadata: CaptureMetadata, _ path: String
  ) throws -> WrittenFile {
    var base = shown(picture, .standard)
    let map: StoredGainMap
    if case .gainMap(let kept) = picture.content, case .iso(let parameters) = kept.formula,
      !parameters.isBaseHDR, kept.base.info.primaries == settings.primaries
    {
      base = kept.base
      map = StoredGainMap(
        kept.map, metadata: parameters, alternatePrimaries: kept.alternatePrimaries)
    } else {
      let high = shown(picture, .high)
      // Readers of Apple's form know no offsets: small ones halve the error that they see.
      map = StoredGainMap(
        try GainMapCreation(offset: 1.0 / 1024).map(from: base, to: high, workers: workers),
        alternatePrimaries: high.info.primaries)
    }
    if settings.container == .jpeg {
      return try GainMapJPEGWriter(.init(base: jpeg), workers: workers)
        .write(base, gainMap: map, metadata: metadata, to: path)
    }
    if settings.container == .avif {
      return try GainMapAVIFWriter(.init(base: avif), workers: workers)
        .write(base, gainMap: map, metadata: metadata, to: path)
    }
    return try GainMapHEIFWriter(.init(base: heif), workers: workers)
      .write(base, gainMap: map, metadata: metadata, to: path)
  }

  private var heif: HEIFWriter.Settings {
    get throws(WriteError) {
      let kind: HEIFWriter.Kind =
        switch settings.transfer {
        case .standard: .sdr(bits: settings.bits)
        case .pq: .pq
        case .hlg: .hlg
        }
      return try HEIFWriter.Settings(
        kind: kind, chroma: settings.chroma,
        quality: settings.quality ?? HEIFWriter.Settings.defaultQuality)
    }
  }

  private var avif: AVIFWriter.Settings {
    get throws(WriteError) {
      let kind: AVIFWriter.Kind =
        switch settings.transfer {
        case .standard: .sdr(bits: settings.bits)
        case .pq: .pq(bits: settings.bits)
        case .hlg: .hlg(bits: settings.bits)
        }
      return try AVIFWriter.Settings(
        kind: kind, chroma: settings.chroma,
        quality: settings.quality ?? AVIFWriter.Settings.defaultQuality)
    }
  }

  private var jpeg: JPEGWriter.Settings {
    get throws(WriteError) {
      try JPEGWriter.Settings(
        colorSpace: settings.primaries == .srgb ? .sRGB : .displayP3, chroma: settings.chroma,
        quality: settings.quality ?? JPEGWriter.Settings.defaultQuality)
    }
  }

  private var png: PNGPictureWriter.Space {
    let depth: PNGWriter.Depth = settings.bits == 8 ? .bits8 : .bits16
    return switch settings.transfer {
    case .pq: .bt2100PQ
    case .hlg: .bt2100HLG
    case .standard: settings.primaries == .srgb ? .sRGB(depth) : .displayP3(depth)
    }
  }

  private var tiff: TIFFWriter.ColorSpace {
    switch settings.transfer {
    case .pq: .bt2100PQ
    case .hlg: .bt2100HLG
    case .standard:
      switch settings.primaries {
      case .srgb: .sRGB
      case .displayP3: .displayP3
      case .bt2020: .bt2020
      }
    }
  }
}
