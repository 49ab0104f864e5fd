import Formats
import Writers

/// An edited file, whole, before it is written.
public struct EditedFile: Sendable, Hashable {
  /// The whole file.
  public let bytes: [UInt8]
  /// Whether anything differs from the source.
  public let isChanged: Bool
  /// What it could not hold, one line each.
  public let notes: [String]

  init(bytes: [UInt8], isChanged: Bool = true, notes: [String]) {
    (self.bytes, self.isChanged, self.notes) = (bytes, isChanged, notes)
  }

  /// Writes the file to `path`, which may be the file that was edited and never refers to a
  /// partially written one. Throws `WriteError`.
  public func write(to path: String) throws {
    _ = try AtomicFile.write([bytes], to: path)
  }
}
