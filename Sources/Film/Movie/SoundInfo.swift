import Foundation

/// The sound of a file, which is copied into films.
enum SoundInfo {
  private struct Report: Decodable {
    struct Stream: Decodable { var codec_name: String? }
    var streams: [Stream]?
  }

  /// Codecs that MPEG-4 files hold.
  private static let inMP4: Set = ["aac", "alac", "ac3", "eac3", "mp3", "opus", "flac"]

  /// Throws where the file at `path` has no sound, or none that `container` holds.
  static func check(
    _ path: String, _ container: FilmContainer, _ tools: FilmTools
  ) throws(FilmError) {
    let codec: String
    do {
      let child = try Child(
        [
          tools.ffprobe, "-v", "error", "-protocol_whitelist", "file,pipe", "-select_streams",
          "a:0", "-show_streams", "-of", "json",
          "file:" + URL(fileURLWithPath: path).standardizedFileURL.path,
        ], takesInput: false, givesOutput: true, memoryBytes: MovieInfo.memoryBytes,
        stallSeconds: MovieInfo.secondsToProbe, silenceSeconds: MovieInfo.secondsToProbe)
      let text = try child.text(limit: 1 << 20)
      try child.finish()
      let report = try JSONDecoder().decode(Report.self, from: Data(text))
      codec = report.streams?.first?.codec_name ?? ""
    } catch {
      if let error = error as? FilmError, error.code == .cancelled { throw error }
      throw FilmError(.badInput, "this is no file of sound, or is damaged", path: path)
    }
    guard !codec.isEmpty else {
      throw FilmError(.badInput, "there is no sound in this file", path: path)
    }
    guard container == .mov || inMP4.contains(codec) else {
      throw FilmError(
        .badSetting,
        ".mp4 does not hold sound in \(codec); name the film .mov, or convert the sound to AAC",
        path: path)
    }
  }
}
