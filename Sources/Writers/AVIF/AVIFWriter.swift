import Formats
public import ImageCore

/// Writes AVIF stills (AV1 Image File Format 1.1): HLG, PQ or Display P3, full range, coded by
/// libaom; beyond 1024 pixels a side as a grid of tiles that are rendered and coded side by side.
/// Only the tiles at work and the coded ones are in memory.
///
/// The same picture and settings give the same bytes on any number of workers.
public struct AVIFWriter: Sendable {
  /// How pictures are written.
  public let settings: Settings
  private let workers: Int

  /// A writer with these settings that uses up to `workers` threads.
  public init(_ settings: Settings, workers: Int = Parallel.defaultWorkers) {
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture` to `path`, replacing what is there once the file is complete.
  ///
  /// HLG and PQ take BT.2020, SDR takes Display P3. A picture brighter than the format's peak (HLG
  /// 1000 cd/m², SDR reference white) is rolled off by BT.2390; PQ is clipped at 10,000 cd/m². What
  /// `light` states is written as it is; levels and display of an HDR picture are measured where it
  /// does not. `progress` is called with 0…1 from any thread, one call at a time. Throws
  /// `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    light: HDRMetadata = HDRMetadata(), to path: String,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try WriteError.about(path) {
      try HEIFFile(
        picture, settings: settings.still, light: light, metadata: metadata, workers: workers,
        progress: progress)
    }.write(to: path)
  }

  /// The bytes that ``write(_:metadata:light:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    light: HDRMetadata = HDRMetadata()
  ) throws -> [UInt8] {
    try HEIFFile(
      picture, settings: settings.still, light: light, metadata: metadata, workers: workers,
      progress: nil
    ).parts.flatMap { $0 }
  }
}
