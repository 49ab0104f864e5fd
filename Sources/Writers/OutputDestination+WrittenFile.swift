import Formats

extension OutputDestination {
  /// Calls `body` with an open, empty file, and moves the result here.
  func file(
    _ content: OutputContent, _ body: (_ descriptor: Int32) throws -> WrittenFile
  ) throws -> WrittenFile {
    var (file, contents) = try write(content, body)
    file.contents = contents
    return file
  }
}
