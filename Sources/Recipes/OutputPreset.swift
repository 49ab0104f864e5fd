/// A format with settings that suit a common use, for dialogs that export pictures.
public struct OutputPreset: Sendable, Hashable, Encodable {
  /// Identifies it.
  public let id: String
  /// Its name for people.
  public let title: String
  /// The format.
  public let format: OutputFormat
  /// Settings of the output as in recipes; others have the defaults of the format.
  public let options: [String: RecipeValue]

  /// All of them, as menus list them.
  public static let all = [
    OutputPreset(
      id: "jpeg-web", title: "JPEG for the web (2048 px)", format: .jpeg,
      options: ["maxSize": 2048, "quality": 0.85, "metadata": "noLocation"]),
    OutputPreset(
      id: "jpeg", title: "JPEG, full size", format: .jpeg, options: ["quality": 0.95]),
    OutputPreset(
      id: "jpeg-hdr", title: "HDR JPEG (gain map)", format: .jpegGainMap, options: [:]),
    OutputPreset(id: "avif-hdr", title: "HDR AVIF", format: .avif, options: [:]),
    OutputPreset(id: "heif-hlg", title: "HEIF HLG", format: .heifHLG, options: [:]),
    OutputPreset(id: "tiff-16", title: "TIFF 16 bit", format: .tiff, options: ["sdrBits": 16]),
  ]
}
