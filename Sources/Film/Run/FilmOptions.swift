public import ImageCore
public import RawFilter
public import Recipes

/// What a film is made by; what is nil follows from the sources.
public struct FilmOptions: Sendable {
  /// What becomes of a frame that cannot be read.
  public enum BadFrames: String, Sendable, Hashable, Codable, CaseIterable {
    /// The frame before it is shown once more.
    case hold
    /// It is left out.
    case leave
    /// The film ends before it.
    case end
  }

  /// How frames are compressed.
  public var codec = FilmCodec.hevc
  /// The transfer function; nil for that of the sources, hybrid log-gamma of raws.
  public var format: FilmFormat?
  /// Primaries of the samples.
  public var primaries: Primaries?
  /// Bits of a sample.
  public var bits: Int?
  /// The resolution of chroma.
  public var chroma: FilmChroma?
  /// Whether codes are in the full range.
  public var isFullRange = false
  /// How much is kept of the frames.
  public var coding = FilmSettings.Coding.quality(FilmSettings.usualQuality)
  /// Mastering display and content light levels in place of what is found.
  public var metadata = HDRMetadata()
  /// The size.
  public var size = FilmSize.ofSource
  /// Frames per second; nil for what the sources say.
  public var rate: FrameRate?
  /// The time code of the first frame; nil for what the sources say.
  public var timecode: Timecode?
  /// Path of a file whose sound is copied.
  public var audio: String?
  /// Path of a JPEG or PNG that is shown for the film.
  public var cover: String?
  /// How files of folders are ordered.
  public var order = FilmClip.Order.number
  /// What becomes of frames that cannot be read.
  public var badFrames = BadFrames.hold
  /// Seconds for which each finished picture is shown; nil for one frame.
  public var stillSeconds: Double?
  /// Crop and aspect of finished pictures and movies; raws have theirs from their recipes.
  public var frame = FrameSettings()
  /// Whether brightness that jumps between raws is evened.
  public var deflickers = false
  /// Finds the recipes and sidecars of raws; nil for default settings.
  public var resolver: RecipeResolver?
  /// A color matrix for cameras that have none; see `RAWFilter/colorMatrix`.
  public var colorMatrix: [Double]?
  /// A lens database other than the system's; see `RAWFilter/lensDatabasePath`.
  public var lensDatabasePath: String?
  /// Number of threads; results do not depend on it. 0 for one for each core.
  public var workers = 0
  /// What each file may cost.
  public var limits = DecodeLimits()
  /// Frames of a segment; nil for two seconds. For tests.
  package var segmentFrames: Int?

  /// The defaults.
  public init() {}

  /// Takes codec, size and quality from a preset.
  public mutating func take(_ preset: FilmPreset) {
    codec = preset.codec
    if let box = preset.size { size = .atMost(box) }
    if let quality = preset.quality { coding = .quality(quality) }
  }

  /// Threads that work.
  var threads: Int { workers > 0 ? workers : Parallel.defaultWorkers }
}
