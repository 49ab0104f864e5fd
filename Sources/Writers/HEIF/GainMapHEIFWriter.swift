import HDRRender
public import ImageCore

/// Writes HEIF stills with a gain map: a picture that every reader shows, and a hidden map that leads to
/// its other rendition, in Apple's form, ISO's, or both with one map. Laid out like the files of
/// phones that hold both.
///
/// The picture is Display P3 for SDR, which is the usual case, or an HLG or PQ one with a map that leads
/// down to SDR. The same input gives the same bytes on any number of workers.
public struct GainMapHEIFWriter: Sendable {
  /// How a picture and its map are written.
  public struct Settings: Sendable, Hashable {
    /// How the picture is written.
    public let base: HEIFWriter.Settings
    /// In which forms the map is stated.
    public let forms: GainMapForms
    /// 0…1, as for pictures.
    public let mapQuality: Double

    /// The map's quality when none is given: codes stay within one or two of their place.
    public static let defaultMapQuality = 0.85

    /// Settings for a picture and its map. Throws when the quality is outside 0…1, or no form is named
    /// that a HEIF can hold: `hdrgm` stands in JPEG only.
    public init(
      base: HEIFWriter.Settings, forms: GainMapForms = .all, mapQuality: Double = defaultMapQuality
    ) throws(WriteError) {
      guard mapQuality >= 0, mapQuality <= 1 else {
        throw WriteError(
          .badSetting, "gain map quality \(mapQuality) is outside 0…1; 0.85 is usual")
      }
      guard !forms.isDisjoint(with: [.apple, .iso]) else {
        throw WriteError(.badSetting, "a HEIF holds gain maps in Apple's and ISO's form; name one")
      }
      (self.base, self.forms, self.mapQuality) = (base, forms, mapQuality)
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
  /// SDR takes Display P3 and a headroom of 1, HLG and PQ take BT.2020; nothing is rolled off, since the
  /// map belongs to the picture as it is. `progress` is called with 0…1 from any thread, one call at a
  /// time. Throws ``WriteError``.
  public func write(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata(), to path: String,
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> WrittenFile {
    let (file, notes) = try WriteError.about(path) {
      let plan = try plan(picture.info, map)
      return (
        try GainMapHEIFFile(
          settings: settings, plan: plan, map: map, metadata: metadata, workers: workers
        ).file(picture, progress: progress), plan.notes
      )
    }
    return WrittenFile(
      path: path, byteCount: try AtomicFile.write(file.parts, to: path), size: picture.size,
      statistics: file.statistics, notes: notes)
  }

  /// The bytes that ``write(_:gainMap:metadata:to:progress:)`` would write.
  public func encode(
    _ picture: some PixelSource<DisplayReferred>, gainMap map: StoredGainMap,
    metadata: CaptureMetadata = CaptureMetadata()
  ) throws -> [UInt8] {
    try GainMapHEIFFile(
      settings: settings, plan: try plan(picture.info, map), map: map, metadata: metadata,
      workers: workers
    ).file(picture, progress: nil).parts.flatMap { $0 }
  }

  private func plan(
    _ info: DisplayReferred.Info, _ map: StoredGainMap
  ) throws(WriteError) -> GainMapPlan {
    try settings.base.check(info)
    guard settings.base.coding(headroom: info.headroom).encoding.toneMapping == nil else {
      throw WriteError(
        .badSetting,
        "the picture is brighter than this HEIF can hold, and its gain map would not fit what is "
          + "left of it; render it to \(Int(settings.base.peakNits)) cd/m²")
    }
    guard map.metadata.isBaseHDR == settings.base.isHDR else {
      throw WriteError(
        .badSetting,
        settings.base.isHDR
          ? "the gain map leads up from an SDR picture, this one is HDR; make the map for it"
          : "the gain map leads down from an HDR picture, this one is SDR; make the map for it")
    }
    return try GainMapPlan(map, wanted: settings.forms.intersection([.apple, .iso]))
  }
}
