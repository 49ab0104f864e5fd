public import Formats
public import ImageCore

/// Writes HEIF and AVIF stills with a gain map: a picture that every reader shows, and a hidden map
/// of one channel or three that leads to its other rendition. Described as ISO 21496-1 asks; in a
/// HEIF also as Apple's auxiliary picture, or both with one map, laid out like the files of phones
/// that hold both.
///
/// The picture is SDR, which is the usual case, or an HLG or PQ one with a
/// map that leads down to SDR. The same input gives the same bytes on any number of
/// workers.
public struct GainMapHEIFWriter: Sendable {
  /// How a picture and its map are coded.
  public struct Settings: Sendable {
    /// How the picture is coded.
    public let base: HEIFWriter.Settings
    /// The formats in which the map is described.
    public let formats: Set<GainMapFormat>
    /// 0…1, as for pictures.
    public let mapQuality: Double

    /// The map's quality when none is given: code values stay within one or two of the exact ones.
    public static let defaultMapQuality = 0.85

    /// Settings for a picture and its map. Throws when the quality is outside 0…1, or none of
    /// `formats` is one that the container holds: Apple's or ISO's in a HEIF, ISO's in an AVIF;
    /// Ultra HDR is for JPEG only.
    public init(
      base: HEIFWriter.Settings, formats: Set<GainMapFormat> = .all,
      mapQuality: Double = defaultMapQuality
    ) throws(WriteError) {
      try CodedGainMap.check(quality: mapQuality)
      self.base = base
      self.formats = formats.intersection(base.codec.gainMapFormats)
      self.mapQuality = mapQuality
      guard !self.formats.isEmpty else {
        throw WriteError(
          .badSetting,
          base.codec.gainMapFormats.contains(.apple)
            ? "a HEIF holds gain maps in Apple's and ISO's form; name one"
            : "an AVIF holds gain maps in ISO's form; name it")
      }
    }
  }

  /// How pictures and their maps are coded.
  public let settings: Settings
  private let workers: Int

  /// A writer with these settings that uses up to `workers` threads.
  public init(_ settings: Settings, workers: Int = Parallel.defaultWorkers) {
    self.settings = settings
    self.workers = max(workers, 1)
  }

  /// Writes `picture` with `map` to `destination`, completely or not at all.
  ///
  /// SDR takes the primaries of its space and a headroom of 1, HLG and PQ take BT.2020; nothing is
  /// rolled off, since the map belongs to the picture as it is. `progress` is called with 0…1 from
  /// any thread, one call at a time. Throws `WriteError`.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to destination: OutputDestination,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    try write(
      picture, metadata: metadata, light: HDRMetadata(), to: destination, progress: progress
    ) { map }
  }

  /// The same with the map that `gainMap` gives once the picture has been read; nil for none, and
  /// then `light` is what a file without gain map declares.
  package func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata, light: HDRMetadata,
    to destination: OutputDestination, progress: (@Sendable (Double) -> Void)? = nil,
    gainMap: () throws -> StoredGainMap?
  ) throws -> WrittenFile {
    let content = OutputContent(settings.base.codec.container, of: picture.info.sources, metadata)
    try destination.check(content)
    return try WriteError.about(destination.name) {
      try file(picture, metadata, light, progress, gainMap)
    }.write(content, to: destination)
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try file(picture, metadata, HDRMetadata(), nil) { map }.parts.flatMap { $0 }
  }

  private func file(
    _ picture: some PixelSource<DisplayReferred>, _ metadata: CaptureMetadata,
    _ light: HDRMetadata, _ progress: (@Sendable (Double) -> Void)?,
    _ gainMap: () throws -> StoredGainMap?
  ) throws -> HEIFFile {
    let (base, info) = (settings.base, picture.info)
    try base.check(info)
    guard base.colorSpace.toneMapping(headroom: info.headroom) == nil else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than this \(base.codec.name) can hold, and its gain map would "
          + "not match the clipped base; render it to \(Int(base.colorSpace.peakNits)) cd/m²")
    }
    let pictures = try CodedPicture(
      picture, settings: base, workers: workers, progress: progress)
    guard let map = try gainMap() else {
      return try HEIFFile(
        pictures, headroom: info.headroom, settings: base, light: light, metadata: metadata)
    }
    return try GainMapHEIFFile(map, settings: settings, metadata: metadata, workers: workers)
      .file(pictures, headroom: info.headroom)
  }
}
