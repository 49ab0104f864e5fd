import Containers
public import Formats
import HDRRender
public import ImageCore

/// Writes JPEGs with a gain map: an SDR picture that every reader shows, followed by a
/// second JPEG, the map that leads to the HDR rendition. All three formats by default, with one
/// map: ISO 21496-1, hdrgm ("Ultra HDR") and Apple's.
///
/// The same input gives the same bytes on any number of workers.
public struct GainMapJPEGWriter: Sendable {
  /// How a picture and its map are encoded.
  public struct Settings: Sendable, Hashable {
    /// How the picture is written.
    public let base: JPEGWriter.Settings
    /// The formats in which the map is described.
    public let formats: Set<GainMapFormat>
    /// 0…1, libjpeg's quality / 100.
    public let mapQuality: Double

    /// The map's quality when none is given.
    public static let defaultMapQuality = 0.95

    /// Settings for a picture and its map. Throws when the quality is outside 0…1 or `formats` is
    /// empty.
    public init(
      base: JPEGWriter.Settings, formats: Set<GainMapFormat> = .all,
      mapQuality: Double = defaultMapQuality
    ) throws(WriteError) {
      try JPEGWriter.check(quality: mapQuality)
      guard !formats.isEmpty else {
        throw WriteError(.badSetting, "no form of gain map is named; name ISO's, at least")
      }
      (self.base, self.formats, self.mapQuality) = (base, formats, mapQuality)
    }
  }

  /// How pictures are written.
  public let settings: Settings
  private let workers: Int

  /// A writer with these settings that uses up to `workers` threads.
  public init(_ settings: Settings, workers: Int = Parallel.defaultWorkers) {
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture` with `map` to `destination`, completely or not at all.
  ///
  /// The picture must be in the primaries of the settings and of a headroom of 1: nothing is rolled
  /// off, since the map belongs to the picture as it is. `progress` is called with 0…1 from any
  /// thread, one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try write(picture, metadata: metadata, to: destination, progress: progress) { map }
  }

  /// The same with the map that `gainMap` gives once the picture has been read; nil for none.
  package func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata,
    to destination: OutputDestination, progress: (@Sendable (Double) -> Void)? = nil,
    gainMap: () throws -> StoredGainMap?
  ) throws -> WrittenFile {
    let content = OutputContent(.jpeg, of: picture.info.sources, metadata)
    try destination.check(content)
    let file = try WriteError.about(destination.name) {
      try self.file(picture, metadata, progress, gainMap)
    }
    let (byteCount, contents) = try destination.write(content, pieces: file.parts)
    var written = WrittenFile(
      at: destination, contents: contents, byteCount: byteCount, size: picture.size,
      statistics: file.statistics, notes: file.notes)
    written.hasGainMap = file.hasGainMap
    return written
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, nil) { map }.parts.flatMap { $0 }
  }

  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ progress: (@Sendable (Double) -> Void)?, _ gainMap: () throws -> StoredGainMap?
  ) throws -> GainMapJPEGFile {
    try settings.base.check(picture.info)
    let coding = settings.base.coding(picture.info)
    guard coding.encoding.toneMapping == nil else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than reference white, and its gain map would not match the "
          + "clipped base; render it to a headroom of 1")
    }
    let jpeg = try CodedJPEG(picture, coding: coding, workers: workers, progress: progress)
    guard let map = try gainMap() else {
      return try GainMapJPEGFile(jpeg, size: picture.size, settings.base, metadata)
    }
    guard !map.metadata.isBaseHDR else {
      throw WriteError(
        .badSetting,
        "the gain map has an HDR base, which a JPEG cannot hold; write a HEIF")
    }
    return try GainMapJPEGFile(
      jpeg, size: picture.size, map: map, settings: settings, metadata: metadata, workers: workers)
  }
}
