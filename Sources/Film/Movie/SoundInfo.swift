import Foundation

/// The sound of a file, which is copied into films.
enum SoundInfo {
  /// Codecs that MPEG-4 files hold.
  private static let inMP4: Set = ["aac", "alac", "ac3", "eac3", "mp3", "opus", "flac"]

  /// Throws where the file at `path` has no sound, or none that `container` holds.
  static func check(
    _ path: String, _ container: FilmContainer, _ tools: FilmTools
  ) throws(FilmError) {
    let codec: String
    do throws(FilmError) {
      let file = URL(fileURLWithPath: path).standardizedFileURL.path
      codec = try ProbeReport.read(file, .sound, [], tools).streams?.first?.codecName ?? ""
    } catch {
      if error.code == .cancelled || error.code == .noEncoder { throw error }
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
