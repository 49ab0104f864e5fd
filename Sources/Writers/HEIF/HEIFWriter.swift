public import Formats
public import ImageCore

/// Writes HEIF and AVIF stills: HLG, PQ or SDR in any space, full range. A picture is coded in one
/// piece, by libaom with all its code values and 18 bytes more for each pixel in memory, or as
/// tiles, of AV1's one picture or of a grid, that are rendered and coded side by side; only the
/// tiles at work and the coded ones are in memory.
///
/// Pictures are coded in HEVC (``Settings/hevc(_:in:bits:chroma:quality:thumbnail:tiles:)``, in the
/// module `X265Writers` also by libx265); AVIF is HEIF with pictures coded in AV1
/// (``Settings/av1(_:in:bits:chroma:quality:speed:thumbnail:tiles:isGray:)``, by libaom with a
/// speed). The same picture and settings give the same bytes on any number of workers.
public struct HEIFWriter: Sendable {
  /// Codec, transfer function, depth and quality.
  public let settings: Settings
  private let workers: Int

  /// A writer with these settings that uses up to `workers` threads.
  public init(_ settings: Settings, workers: Int = Parallel.defaultWorkers) {
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture` to `destination`, with its alpha, completely or not at all.
  ///
  /// HLG and PQ take BT.2020, SDR the primaries of its space. A picture brighter than the format's
  /// peak (HLG 1000 cd/m², SDR reference white) is rolled off by BT.2390; PQ is clipped
  /// at 10,000 cd/m². What `light` declares is written unchanged. Where it declares none, an HDR
  /// picture gets measured light levels, and as mastering display that of HLG, or for PQ one that
  /// reaches the headroom of the picture. `progress` is called with 0…1 from any thread, one call
  /// at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, alpha: AlphaPlane? = nil,
    metadata: CaptureMetadata = CaptureMetadata(), light: HDRMetadata = HDRMetadata(),
    to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    let content = OutputContent(settings.codec.container, of: picture.info.sources, metadata)
    try destination.check(content)
    try alpha?.check(picture.size, isMultiplied: false, path: destination.name)
    return try WriteError.about(destination.name) {
      try HEIFFile(
        picture, alpha: alpha, settings: settings, light: light, metadata: metadata,
        workers: workers, progress: progress)
    }.write(content, to: destination)
  }

  /// The bytes that ``write(_:alpha:metadata:light:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata = CaptureMetadata(),
    light: HDRMetadata = HDRMetadata()
  ) throws -> [UInt8] {
    try HEIFFile(
      picture, alpha: nil, settings: settings, light: light, metadata: metadata, workers: workers,
      progress: nil
    ).parts.flatMap { $0 }
  }
}
