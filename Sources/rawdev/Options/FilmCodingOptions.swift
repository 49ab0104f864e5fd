public import ArgumentParser
public import Film
import ImageCore

extension FilmCodec: ExpressibleByArgument {}
extension FilmFormat: ExpressibleByArgument {}
extension FilmChroma: ExpressibleByArgument {}
extension FilmClip.Order: ExpressibleByArgument {}
extension FilmOptions.BadFrames: ExpressibleByArgument {}

/// How a film is coded, and what is in it.
struct FilmCodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Codec, size and quality by a name: "
        + FilmPreset.all.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
    completion: .list(FilmPreset.all.map(\.name)))
  var preset: String?

  @Option(help: "Transfer function. (default: that of the sources; hlg of raws)")
  var format: FilmFormat?

  @Option(help: "How frames are compressed. (default: hevc)")
  var codec: FilmCodec?

  @Option(
    help: ArgumentHelp(
      "Frames per second, exact: 24, 24000/1001, 23.976. (default: what the sources say)",
      valueName: "rate"))
  var fps: String?

  @Option(
    help: ArgumentHelp(
      "Exact size; other proportions get bars. (default: that of the first frame)",
      valueName: "width,height"))
  var size: NumberList?

  @Option(help: "0…1; 1 is lossless in hevc. (default: 0.8)")
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "Bits per second on average, as 20M; such a film cannot be resumed.", valueName: "rate"))
  var bitRate: String?

  @Option(help: "Resolution of chroma. (default: 420; 422 and 444 of the ProRes)")
  var chroma: FilmChroma?

  @Option(help: ArgumentHelp("8 or 10. (default: 10 in HDR)", visibility: HelpLevel.rest))
  var bits: Int?

  @Option(
    help: ArgumentHelp(
      "bt2020, display-p3 or srgb. (default: bt2020 in HDR, srgb in SDR)",
      visibility: HelpLevel.rest))
  var primaries: PrimariesArgument?

  @Flag(
    help: ArgumentHelp(
      "Codes of the full range, which few players expect.", visibility: HelpLevel.rest))
  var fullRange = false

  @Option(help: "File whose sound is copied into the film.", completion: .file())
  var audio: String?

  @Option(
    help: ArgumentHelp("JPEG or PNG that is shown for the film.", visibility: HelpLevel.rest),
    completion: .file())
  var cover: String?

  @Option(
    help: ArgumentHelp(
      "Time code of the first frame, 02:16:10:01. (default: that of the source)",
      visibility: HelpLevel.rest))
  var timecode: String?

  @Option(help: "Order of the files of a folder: by their numbers, or times of capture.")
  var order = FilmClip.Order.number

  @Option(help: "Frames that cannot be read: hold the one before, leave them out, or end there.")
  var badFrames = FilmOptions.BadFrames.hold

  @Option(help: "Seconds for which each finished picture is shown. (default: one frame)")
  var stillSeconds: Double?

  @Flag(help: "Even brightness that jumps between raws; ramps of key frames stay.")
  var deflicker = false

  /// Primaries by their name in recipes.
  struct PrimariesArgument: ExpressibleByArgument {
    let primaries: Primaries

    init?(argument: String) {
      switch argument {
      case "bt2020": primaries = .bt2020
      case "display-p3": primaries = .displayP3
      case "srgb": primaries = .srgb
      default: return nil
      }
    }

    static var allValueStrings: [String] { ["bt2020", "display-p3", "srgb"] }
  }

  /// The options as values.
  func options() throws -> FilmOptions {
    var options = FilmOptions()
    if let preset {
      guard codec == nil else { throw ValidationError("--preset has a codec; give one of both") }
      guard let found = FilmPreset(preset) else {
        throw ValidationError(
          "--preset \(preset) is not known; one of "
            + FilmPreset.all.map(\.name).joined(separator: ", "))
      }
      options.take(found)
    }
    if let codec { options.codec = codec }
    (options.format, options.chroma, options.bits) = (format, chroma, bits)
    (options.primaries, options.isFullRange) = (primaries?.primaries, fullRange)
    if let fps {
      guard let rate = FrameRate(fps) else {
        throw ValidationError("--fps \(fps): give a rate as 24, 24000/1001 or 23.976")
      }
      options.rate = rate
    }
    if let size { options.size = .exactly(try size.pixelSize("--size")) }
    guard quality == nil || bitRate == nil else {
      throw ValidationError("give --quality or --bit-rate")
    }
    if let quality { options.coding = .quality(quality) }
    if let bitRate { options.coding = .bitRate(try Self.bits(bitRate)) }
    if let timecode {
      guard let code = Timecode(timecode) else {
        throw ValidationError("--timecode \(timecode): give hours:minutes:seconds:frames")
      }
      options.timecode = code
    }
    if let stillSeconds {
      guard stillSeconds > 0, stillSeconds <= 86_400 else {
        throw ValidationError("--still-seconds takes up to 86400")
      }
      options.stillSeconds = stillSeconds
    }
    (options.audio, options.cover, options.order) = (audio, cover, order)
    (options.badFrames, options.deflickers) = (badFrames, deflicker)
    return options
  }

  private static func bits(_ text: String) throws -> Int {
    let units: [Character: Double] = ["K": 1e3, "M": 1e6, "G": 1e9]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    guard let value = Double(unit == nil ? text[...] : text.dropLast()), value > 0, value < 1e12
    else { throw ValidationError("--bit-rate \(text): give bits per second, or 20M") }
    return Int(min(value * (unit ?? 1), 1e15))
  }
}
