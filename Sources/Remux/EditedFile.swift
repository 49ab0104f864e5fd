import Formats
import Writers

/// An edited file, whole, before it is written.
public struct EditedFile: Sendable, Hashable {
  /// The file.
  public let bytes: [UInt8]
  /// Whether anything is other than in the source.
  public let isChanged: Bool
  /// What could not be said in it, one line each.
  public let notes: [String]

  init(bytes: [UInt8], isChanged: Bool = true, notes: [String]) {
    (self.bytes, self.isChanged, self.notes) = (bytes, isChanged, notes)
  }

  /// Puts the file in place of `path`, which may be the file that was edited; it only ever stands
  /// for a whole one. Throws `WriteError`.
  public func write(to path: String) throws {
    try AtomicFile.write(to: path) { descriptor in
      try bytes.withUnsafeBytes { try AtomicFile.append($0, to: descriptor, path: path) }
    }
  }
}
