import Export
import Formats
import ImageCore
import Readers
import Writers

extension StillExporter {
  /// Writes `finished` to `target`. Where a value of the picture is infinite or NaN, throws
  /// `failure`, if one is given, and writes no file.
  func write(
    _ finished: FinishedPicture, metadata: CaptureMetadata, to target: OutputDestination,
    whereInfinite failure: ReadError?
  ) throws -> WrittenFile {
    guard let failure else { return try write(finished, metadata: metadata, to: target) }
    let picture = FiniteSource(finished.picture)
    var finished = finished
    finished.picture = picture
    do {
      return try write(finished, metadata: metadata, to: target)
    } catch  where !picture.isFinite {
      throw failure
    }
  }
}

extension ReadError {
  /// The failure of a picture at `path` whose gain map makes infinite values of it: it is not what
  /// was taken.
  static func infiniteGain(_ path: String) -> ReadError {
    ReadError(
      .damaged,
      "its gain map gives non-finite pixels; remove the gain map, or copy the file again",
      path: path, remedies: [.dropGainMap])
  }
}
