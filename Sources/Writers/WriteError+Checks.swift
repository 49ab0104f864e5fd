import Formats
import ImageCore

extension WriteError {
  /// Throws unless `quality` is within 0…1; `kind` is what is coded, `usual` a value that suits.
  static func check(quality: Double, of kind: String, usual: Double) throws(WriteError) {
    guard (0...1).contains(quality) else {
      throw WriteError(
        .badSetting, "\(kind) quality \(quality) is outside 0…1; \(usual) is usual")
    }
  }

  /// Throws unless a picture is in `primaries`, which a file of `kind` holds.
  static func check(
    _ info: DisplayReferred.Info, in primaries: Primaries, of kind: String
  ) throws(WriteError) {
    guard info.primaries == primaries else {
      throw WriteError(
        .badSetting,
        "the picture is in \(info.primaries.rawValue), this \(kind) holds "
          + "\(primaries.rawValue); render it for these primaries")
    }
  }

  /// Throws unless a picture is in `primaries`, which `file` at `path` needs.
  static func check(
    _ info: DisplayReferred.Info, in primaries: Primaries, file: String = "the file", path: String
  ) throws(WriteError) {
    guard info.primaries == primaries else {
      throw WriteError(
        .badSetting,
        "the picture has \(info.primaries.rawValue) primaries, \(file) needs "
          + "\(primaries.rawValue); render the picture in these", path: path)
    }
  }
}
