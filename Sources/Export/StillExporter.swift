public import Formats
public import HDRRender
public import ImageCore
import ImageFilters
public import Writers

/// Writes a finished picture of any range as `EncoderSettings` specify, in one call: size, range,
/// primaries and encoding. What the file cannot hold is tone-mapped, never clipped; SDR
/// keeps its white, which in an HDR file is 203 cd/m² (BT.2408).
public struct StillExporter: Sendable {
  /// The format and all its choices.
  public let settings: EncoderSettings
  private let space: SampleSpace
  private let workers: Int

  /// Throws when the settings contradict each other, or their ICC profile cannot be written for.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    try settings.validate()
    try settings.checkEncoder()
    self.settings = settings
    space =
      try settings.profile.map { (profile) throws(WriteError) in try SampleSpace(profile) }
      ?? SampleSpace(settings.colorSpace)
    self.workers = max(workers, 1)
  }

  /// Writes `picture` to `destination`, completely or not at all. Where `light` does not give them,
  /// the light levels of an HDR file are measured and its mastering display is derived from format
  /// and headroom; HEIF and AVIF hold all of `light`, PNG these two, files with a gain map none. A
  /// gain map is copied unchanged where it fits the file and no other kind is requested, else a new
  /// one is made. `progress` gets the fraction that has been rendered, on any thread. Throws
  /// `WriteError`, or `OperatorError` for a picture that cannot be rendered so.
  public func write(
    _ picture: DisplayPicture, metadata: CaptureMetadata = CaptureMetadata(),
    light: HDRMetadata = HDRMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    guard settings.primaries != .camera else { throw WriteError.needsRaw }
    var picture = picture
    if let side = settings.maximumSide { picture = try picture.thumbnail(maxPixelSize: side) }
    let headroom = settings.isFloat ? picture.reach : picture.contentHeadroom
    func shown(_ range: DisplayRendering.DynamicRange) -> any PixelSource<DisplayReferred> {
      PrimariesConversion(
        DisplayRendering(range, displayHeadroom: headroom)(picture), to: settings.primaries,
        settings.outsidePrimaries)
    }
    var finished = FinishedPicture(
      picture: shown(settings.headroom > 1 || settings.hasGainMap ? .high : .standard), light: light
    )
    if settings.isSceneReferred {
      finished.picture = try HLGSceneLight(finished.picture, .toDisplay)
    }
    if settings.hasGainMap {
      finished.standard = shown(.standard)
      if settings.hasDefaultMap { finished.keepGainMap(of: picture) }
    }
    if let progress { finished.picture = finished.picture.reporting(progress: progress) }
    return try write(finished, metadata: metadata, to: destination)
  }

  /// The same for tasks: the work is done on threads of its own, and ends, leaving nothing, when
  /// the task is cancelled.
  public func write(
    _ picture: DisplayPicture, metadata: CaptureMetadata = CaptureMetadata(),
    light: HDRMetadata = HDRMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> WrittenFile {
    try await Cancellation.ofTask { () throws(any Error) in
      try write(picture, metadata: metadata, light: light, to: destination, progress: progress)
    }
  }

  /// Writes `finished`, which has the size and primaries of the file, to `destination`, completely
  /// or not at all. Where a gain map is made, statistics are those of the HDR rendition; both
  /// renditions are read once, side by side. A picture without headroom gets no gain map, since
  /// none would be valid, and a note. Throws `WriteError`.
  public func write(
    _ finished: FinishedPicture, metadata: CaptureMetadata = CaptureMetadata(),
    to destination: OutputDestination
  ) throws -> WrittenFile {
    guard settings.hasGainMap else {
      return try writePlain(finished, metadata, destination)
    }
    let (standard, high) = (finished.standard ?? finished.picture, finished.picture)
    let isBaseHDR = settings.transfer != .standard
    var statistics: ContentLightStatistics?
    var file: WrittenFile
    if let map = finished.gainMap {
      file = try write(standard, finished.light, metadata, destination) { map }
      statistics = try high.lightStatistics(workers: workers)
    } else {
      // Readers of Apple's format, which HEIF and JPEG also hold, know no offsets: small ones halve
      // their error. One value for all containers.
      let measured = try GainMapMeasurement(
        GainMapCreation(
          kind: settings.mapKind, scale: settings.mapScale, offset: 1.0 / 1024,
          isBaseHDR: isBaseHDR), standard: standard, high: high)
      file = try write(measured, finished.light, metadata, destination) {
        let created = try measured.result()
        statistics = created.highLight
        let alternate = (isBaseHDR ? standard : high).info.primaries
        return StoredGainMap(created, alternatePrimaries: alternate)
      }
    }
    if !file.hasGainMap {
      file.notes.append("it has no highlights above reference white, so no gain map was written")
    }
    file.statistics = statistics ?? file.statistics
    return file
  }

  /// Writes a picture without a gain map.
  private func writePlain(
    _ finished: FinishedPicture, _ metadata: CaptureMetadata, _ destination: OutputDestination
  ) throws -> WrittenFile {
    let (picture, light, isGray) = (finished.picture, finished.light, finished.isGray)
    switch settings.container {
    case .heif, .avif:
      return try HEIFWriter(heif(isGray: isGray), workers: workers)
        .write(picture, alpha: finished.alpha, metadata: metadata, light: light, to: destination)
    case .jpeg:
      return try JPEGWriter(jpeg(isGray: isGray), workers: workers).write(
        picture, metadata: metadata, to: destination)
    case .png:
      return try PNGPictureWriter(png, isGray: isGray, workers: workers)
        .write(picture, alpha: finished.alpha, metadata: metadata, light: light, to: destination)
    case .tiff:
      return try TIFFWriter(
        encoding: settings.isFloat
          ? settings.floatDepth == .half ? .linearHalf : .linearFloat
          : settings.bits == 8 ? .integer8(space) : .integer16(space),
        compression: settings.compression, isGray: isGray, workers: workers
      )
      .write(picture, alpha: finished.alpha, metadata: metadata, to: destination)
    case .exr:
      return try EXRWriter(
        depth: settings.floatDepth, compression: settings.exrCompression,
        level: settings.exrLevel, tileSize: settings.exrTileSize, workers: workers
      ).write(
        picture, alpha: finished.alpha, metadata: metadata, isScene: finished.isScene,
        to: destination)
    case .npy, .planes:
      return try ArrayWriter(
        settings.container == .npy ? .npy : .planes, depth: settings.floatDepth, workers: workers
      ).write(picture, to: destination)
    case .jpegXL:
      return try jpegXL(isGray: isGray)
        .write(picture, alpha: finished.alpha, metadata: metadata, to: destination)
    case .dng: preconditionFailure("refused by EncoderSettings.validate")
    }
  }

  /// Writes a base with the gain map that there is once it has been read, if it
  /// is needed.
  private func write(
    _ base: any PixelSource<DisplayReferred>, _ light: HDRMetadata, _ metadata: CaptureMetadata,
    _ destination: OutputDestination, gainMap: () throws -> StoredGainMap
  ) throws -> WrittenFile {
    func needed() throws -> StoredGainMap? {
      let map = try gainMap()
      return map.metadata.isNeeded ? map : nil
    }
    switch settings.container {
    case .jpeg:
      return try GainMapJPEGWriter(.init(base: jpeg()), workers: workers)
        .write(base, metadata: metadata, to: destination, gainMap: needed)
    case .heif, .avif:
      return try GainMapHEIFWriter(.init(base: heif()), workers: workers)
        .write(base, metadata: metadata, light: light, to: destination, gainMap: needed)
    case .jpegXL:
      return try jpegXL().write(base, metadata: metadata, to: destination, gainMap: needed)
    case .png, .tiff, .exr, .npy, .planes, .dng:
      preconditionFailure("refused by EncoderSettings.validate")
    }
  }

  private func heif(isGray: Bool = false) throws(WriteError) -> HEIFWriter.Settings {
    let quality = settings.quality ?? HEIFWriter.Settings.defaultQuality
    return settings.container == .avif
      ? try .av1(
        settings.transfer, in: space, bits: settings.bits, chroma: settings.chroma,
        quality: quality, thumbnail: settings.thumbnail, tiles: settings.tiles, isGray: isGray)
      : try .hevc(
        settings.transfer, in: space, bits: settings.bits, chroma: settings.chroma,
        quality: quality, thumbnail: settings.thumbnail, tiles: settings.tiles)
  }

  private func jpeg(isGray: Bool = false) throws(WriteError) -> JPEGWriter.Settings {
    try JPEGWriter.Settings(
      in: space, chroma: settings.chroma,
      quality: settings.quality ?? JPEGWriter.Settings.defaultQuality, isGray: isGray)
  }

  private func jpegXL(isGray: Bool = false) throws(WriteError) -> JPEGXLWriter {
    // The mapping from quality to distance of cjxl.
    let distance = settings.quality.map { $0 == 1 ? 0 : 0.1 + (1 - Float($0)) * 9 }
    return try JPEGXLWriter(
      settings.transfer, in: space, distance: distance ?? JPEGXLWriter.defaultDistance,
      isGray: isGray, workers: workers)
  }

  private var png: PNGPictureWriter.Space {
    let depth: PNGWriter.Depth = settings.bits == 8 ? .bits8 : .bits16
    return switch settings.transfer {
    case .pq: .bt2100PQ
    case .hlg: .bt2100HLG
    case .standard: .standard(space, depth)
    }
  }
}

extension GainMapMetadata {
  /// Whether its two renditions differ in headroom by more than a step of a map's gains, 1/256
  /// stop. Readers refuse a map whose headrooms are equal, and none would ever apply it.
  fileprivate var isNeeded: Bool { abs(alternateHeadroomStops - baseHeadroomStops) > 1.0 / 256 }
}
