import Formats
import ImageCore

extension WriteError {
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
