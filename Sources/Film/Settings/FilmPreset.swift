public import ImageCore

/// A codec with a size, by the names of AVFoundation's export presets in kebab case.
public struct FilmPreset: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// How frames are compressed.
  public let codec: FilmCodec
  /// The largest size; nil for that of the source.
  public let size: PixelSize?
  /// The quality; nil for the usual.
  public let quality: Double?

  private init(
    _ name: String, _ codec: FilmCodec, _ width: Int? = nil, _ height: Int = 0,
    quality: Double? = nil
  ) {
    (self.name, self.codec, self.quality) = (name, codec, quality)
    size = width.map { PixelSize(width: $0, height: height) }
  }

  /// All presets.
  public static let all: [FilmPreset] = [
    FilmPreset("hevc-highest-quality", .hevc, quality: 0.9),
    FilmPreset("hevc-1920x1080", .hevc, 1920, 1080),
    FilmPreset("hevc-3840x2160", .hevc, 3840, 2160),
    FilmPreset("hevc-7680x4320", .hevc, 7680, 4320),
    FilmPreset("prores-422", .proRes422), FilmPreset("prores-4444", .proRes4444),
    FilmPreset("h264-highest-quality", .h264, quality: 0.9),
    FilmPreset("h264-640x480", .h264, 640, 480),
    FilmPreset("h264-960x540", .h264, 960, 540),
    FilmPreset("h264-1280x720", .h264, 1280, 720),
    FilmPreset("h264-1920x1080", .h264, 1920, 1080),
    FilmPreset("h264-3840x2160", .h264, 3840, 2160),
    FilmPreset("av1-highest-quality", .av1, quality: 0.9),
    FilmPreset("av1-1920x1080", .av1, 1920, 1080),
    FilmPreset("av1-3840x2160", .av1, 3840, 2160),
  ]

  /// The preset of this name; nil for an unknown one.
  public init?(_ name: String) {
    guard let preset = Self.all.first(where: { $0.name == name }) else { return nil }
    self = preset
  }
}
