import Foundation

/// What ffprobe says of a file.
struct ProbeReport: Decodable {
  struct Stream: Decodable {
    var codecName, codecTagString, profile, pixFmt, fieldOrder: String?
    var colorRange, colorSpace, colorTransfer, colorPrimaries: String?
    var rFrameRate, avgFrameRate, nbFrames, nbReadPackets: String?
    var width, height: Int?
    var sideDataList: [SideData]?
    var tags: [String: String]?
  }

  struct Frame: Decodable { var sideDataList: [SideData]? }

  /// Numbers of mastering displays are fractions.
  struct SideData: Decodable {
    var sideDataType: String?
    var redX, redY, greenX, greenY, blueX, blueY, whitePointX, whitePointY: String?
    var minLuminance, maxLuminance: String?
    var maxContent, maxAverage, rotation: Int?
  }

  var streams: [Stream]?
  var frames: [Frame]?

  /// Which stream.
  enum Selection: String {
    case pictures = "v:0"
    case sound = "a:0"
  }

  /// Untrusted files get no more time and memory than these.
  static let seconds = 30.0
  static let memoryBytes = 6 << 30
  private static let maxBytes = 1 << 20

  /// The first frame alone, which is decoded.
  static let firstFrame = ["-show_frames", "-read_intervals", "%+#1"]
  /// The number of packets, without decoding.
  static let packets = ["-count_packets"]

  /// The report on the file at `path`. `isTrusted`: it is ours, and may take its time.
  static func read(
    _ path: String, _ selection: Selection = .pictures, _ options: [String] = [],
    _ tools: FilmTools, isTrusted: Bool = false
  ) throws(FilmError) -> ProbeReport {
    let command =
      [tools.ffprobe, "-v", "error", "-protocol_whitelist", "file,pipe"]
      + ["-select_streams", selection.rawValue, "-show_streams"] + options
      + ["-of", "json", "file:" + path]
    let child = try Child(
      command, takesInput: false, givesOutput: true, memoryBytes: isTrusted ? nil : memoryBytes,
      stallSeconds: isTrusted ? Child.stallSeconds : seconds,
      silenceSeconds: isTrusted ? Child.silenceSeconds : seconds)
    let text = try child.text(limit: maxBytes)
    try child.finish()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do { return try decoder.decode(ProbeReport.self, from: Data(text)) } catch {
      throw FilmError(.badInput, "the report on it cannot be read: \(error)")
    }
  }
}
