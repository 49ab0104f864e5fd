import Formats

extension OutputDestination {
  /// Calls `body` with an open, empty file, and brings what it wrote here.
  func file(
    _ content: OutputContent, _ body: (_ descriptor: Int32) throws -> WrittenFile
  ) throws -> WrittenFile {
    var (file, contents) = try write(content, body)
    file.contents = contents
    return file
  }
}
