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
  private let writer: any PictureWriter
  private let workers: Int

  /// An exporter of files of these settings. `workers`: maximum threads; they do not change the
  /// bytes. Throws when the settings contradict each other, or their ICC profile cannot be written
  /// for.
  public init(_ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers)
    throws(WriteError)
  {
    writer = try PictureWriters.writer(of: settings, workers: workers)
    try settings.checkEncoder()
    (self.settings, self.workers) = (settings, max(workers, 1))
  }

  /// Writes `picture` to `destination`, completely or not at all. Unless given in `hdrMetadata`,
  /// the content light levels of an HDR file are measured and its mastering display is derived from
  /// format and headroom. HEIF and AVIF hold all of `hdrMetadata`, PNG these two, files with a gain
  /// map nothing of it. A gain map is copied unchanged where it fits the file and no other kind is
  /// requested, else a new one is made. `progress` gets the fraction that has been rendered, on any
  /// thread. Throws `WriteError`, or `OperatorError` for a picture that cannot be rendered so.
  public func write(
    _ picture: DisplayPicture, metadata: CaptureMetadata = CaptureMetadata(),
    hdrMetadata: HDRMetadata = HDRMetadata(), to destination: OutputDestination,
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
      picture: shown(settings.headroom > 1 || settings.hasGainMap ? .high : .standard),
      hdrMetadata: hdrMetadata
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

  /// The same for tasks: the work runs on separate threads and is abandoned, without output, when
  /// the task is cancelled.
  public func write(
    _ picture: DisplayPicture, metadata: CaptureMetadata = CaptureMetadata(),
    hdrMetadata: HDRMetadata = HDRMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> WrittenFile {
    try await Cancellation.ofTask { () throws(any Error) in
      try write(
        picture, metadata: metadata, hdrMetadata: hdrMetadata, to: destination, progress: progress)
    }
  }

  /// Writes `finished`, which has the size and primaries of the file, to `destination`, completely
  /// or not at all. Where a gain map is computed, statistics are of the HDR rendition; both
  /// renditions are read once, in parallel. A picture without headroom gets a note and no gain map,
  /// which would be invalid. Throws `WriteError`.
  public func write(
    _ finished: FinishedPicture, metadata: CaptureMetadata = CaptureMetadata(),
    to destination: OutputDestination
  ) throws -> WrittenFile {
    guard settings.hasGainMap else {
      return try writer.write(finished, metadata: metadata, to: destination, gainMap: nil)
    }
    var base = finished
    base.picture = finished.standard ?? finished.picture
    let (standard, high) = (base.picture, finished.picture)
    let isBaseHDR = settings.transfer != .standard
    var statistics: ContentLightStatistics?
    var file: WrittenFile
    if let map = finished.gainMap {
      file = try writer.write(base, metadata: metadata, to: destination) { map.ifNeeded }
      statistics = try high.lightStatistics(workers: workers)
    } else {
      // Readers of Apple's format, which HEIF and JPEG also hold, know no offsets: small ones halve
      // their error. One value for all containers.
      let measured = try GainMapMeasurement(
        GainMapCreation(
          kind: settings.mapKind, scale: settings.mapScale, offset: 1.0 / 1024,
          isBaseHDR: isBaseHDR), standard: standard, high: high)
      base.picture = measured
      file = try writer.write(base, metadata: metadata, to: destination) {
        let created = try measured.result()
        statistics = created.highLight
        let alternate = (isBaseHDR ? standard : high).info.primaries
        return StoredGainMap(created, alternatePrimaries: alternate).ifNeeded
      }
    }
    if !file.hasGainMap {
      file.notes.append("it has no highlights above reference white, so no gain map was written")
    }
    file.statistics = statistics ?? file.statistics
    return file
  }
}

extension StoredGainMap {
  /// Nil where its two renditions differ in headroom by no more than a step of a map's gains, 1/256
  /// stop. Readers refuse a map whose headrooms are equal, and it would never be applied.
  fileprivate var ifNeeded: StoredGainMap? {
    abs(metadata.alternateHeadroomStops - metadata.baseHeadroomStops) > 1.0 / 256 ? self : nil
  }
}
