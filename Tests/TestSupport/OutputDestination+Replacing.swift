package import Formats

extension OutputDestination {
  /// The file at `path`, whatever is there.
  package static func replacing(_ path: String) -> OutputDestination {
    .file(path: path, existing: .replace)
  }
}
