import Foundation

/// The programs that code and read films: ffmpeg and ffprobe, from the folders of PATH.
public struct FilmTools: Sendable {
  /// Path of the program that codes.
  let ffmpeg: String
  /// Path of the program that reads back.
  let ffprobe: String
  /// What the first names itself.
  public let version: String
  private let encoders: Set<String>

  /// Looks for them. Throws where one is missing.
  public init() throws(FilmError) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":").filter { $0.hasPrefix("/") }
    func find(_ name: String) throws(FilmError) -> String {
      for folder in folders {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
      throw FilmError(
        .noEncoder, "\(name) is not installed, which codes films; apt install ffmpeg brings it")
    }
    (ffmpeg, ffprobe) = (try find("ffmpeg"), try find("ffprobe"))
    let text = try Self.output([ffmpeg, "-hide_banner", "-encoders"])
    // A line is flags, name and description.
    encoders = Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 2)
        return words.count == 3 && words[0].hasPrefix("V") && words[0].count == 6
          ? String(words[1]) : nil
      })
    version =
      try Self.output([ffmpeg, "-version"]).split(separator: "\n").first.map {
        String($0.split(separator: " Copyright").first ?? $0)
      } ?? "ffmpeg"
  }

  private static func output(_ command: [String]) throws(FilmError) -> String {
    let child = try Child(
      command, takesInput: false, givesOutput: true, stallSeconds: 10, silenceSeconds: 30)
    let text = try child.text(limit: 1 << 20)
    try child.finish()
    return String(decoding: text, as: UTF8.self)
  }

  /// Throws where the encoder of `codec` is missing.
  func require(_ codec: FilmCodec) throws(FilmError) {
    guard has(codec) else {
      throw FilmError(
        .noEncoder,
        "this ffmpeg has no \(codec.row.encoder), which codes \(codec.row.name); install one that "
          + "has, such as Debian's, or take another codec")
    }
  }

  /// Whether films of `codec` can be coded here.
  public func has(_ codec: FilmCodec) -> Bool { encoders.contains(codec.row.encoder) }
}

extension FilmCodec {
  /// What is known of it, for people: its encoder, files, formats.
  public var summary: String {
    let row = row
    let files = row.containers.map { "." + $0.rawValue }.joined(separator: ", ")
    let formats = row.hdrBits.isEmpty ? "sdr" : "hlg, pq, sdr"
    return "\(row.name) by \(row.encoder): \(files); \(formats); chroma "
      + row.chroma.map(\.rawValue).joined(separator: ", ")
  }
}
