public import Formats
public import ImageCore

/// Writes AVIF stills with a gain map (ISO 21496-1): a picture that every reader shows, and a
/// hidden map of one channel or three that leads to its other rendition.
///
/// The picture is Display P3 for SDR, which is the usual case, or an HLG or PQ one with a map that
/// leads down to SDR. The same input gives the same bytes on any number of workers.
public struct GainMapAVIFWriter: Sendable {
  /// How a picture and its map are written.
  public struct Settings: Sendable, Hashable {
    /// How the picture is written.
    public let base: AVIFWriter.Settings
    /// 0…1, as for pictures.
    public let mapQuality: Double

    /// The map's quality when none is given: codes stay within one or two of their place.
    public static let defaultMapQuality = 0.85

    /// Settings for a picture and its map. Throws when the quality is outside 0…1.
    public init(
      base: AVIFWriter.Settings, mapQuality: Double = defaultMapQuality
    ) throws(WriteError) {
      guard mapQuality >= 0, mapQuality <= 1 else {
        throw WriteError(
          .badSetting, "gain map quality \(mapQuality) is outside 0…1; 0.85 is usual")
      }
      (self.base, self.mapQuality) = (base, mapQuality)
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

  /// Writes `picture` with `map` to `path`, replacing what is there once the file is complete.
  ///
  /// SDR takes Display P3 and a headroom of 1, HLG and PQ take BT.2020; nothing is rolled off,
  /// since the map belongs to the picture as it is. `progress` is called with 0…1 from any thread,
  /// one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to path: String,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try WriteError.about(path) {
      try file(picture.info, map, metadata).file(picture, progress: progress)
    }.write(to: path)
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture.info, map, metadata).file(picture, progress: nil).parts.flatMap { $0 }
  }

  private func file(
    _ info: DisplayReferred.Info, _ map: StoredGainMap, _ metadata: CaptureMetadata
  ) throws(WriteError) -> GainMapHEIFFile {
    try GainMapHEIFFile(
      info, map, settings: settings.base.still, forms: .iso,
      mapQuantizer: AVIFWriter.Settings.quantizer(quality: settings.mapQuality),
      metadata: metadata, workers: workers)
  }
}
