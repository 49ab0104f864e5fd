import Containers
public import Formats

/// A complete edited file, before it is written.
public struct EditedFile: Sendable, Hashable {
  /// The complete file.
  public let bytes: [UInt8]
  /// Whether anything differs from the source.
  public let isChanged: Bool
  /// What it could not hold, one line each.
  public let notes: [String]

  init(bytes: [UInt8], isChanged: Bool = true, notes: [String]) {
    (self.bytes, self.isChanged, self.notes) = (bytes, isChanged, notes)
  }

  /// Writes the file to `destination`, completely or not at all. That may be the file that was
  /// edited, as far as it may be replaced: it is the same file then, not one that is made of it.
  /// Throws `WriteError`.
  public func write(to destination: OutputDestination) throws {
    _ = try destination.write(content, chunks: [bytes])
  }

  private var content: OutputContent {
    let start = try? FileBytes(Array(bytes.prefix(4096)))
    let kind = start.flatMap { PictureSignature($0)?.rawValue }
      .flatMap { EncoderSettings.Container(rawValue: $0) }
    return kind.map { OutputContent($0) } ?? .any()
  }
}
