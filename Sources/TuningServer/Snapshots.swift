import Batch
import Develop
import Formats
import Foundation
import HTTPTypes
import Recipes
import Synchronization
import SystemPackage

/// Named values of pictures: in a file of this user for each folder, so that they are there at the
/// next start, or as long as the server runs where there is no such file.
final class Snapshots: Sendable {
  /// Values under a name.
  struct Snapshot: Codable, Sendable {
    var name: String
    var own: [String: RecipeValue]
  }

  private struct Stored: Codable, Sendable {
    /// The folder, for people who look at the file.
    var folder: String
    /// By the names of pictures below the folder.
    var pictures: [String: [Snapshot]] = [:]
  }

  private let file: FilePath?
  /// The snapshots; a file is read each time, as other servers write it.
  private let stored: Mutex<Stored>

  /// Those of `folder`, stored in a file in `state`; in memory with nil.
  init(of folder: FilePath, in state: FilePath?) {
    file = state?.appending("\(Digest.of(folder.bytes).prefix(32)).json")
    stored = Mutex(Stored(folder: folder.string))
  }

  /// The snapshots of the picture `name`, the oldest first. Throws where the file is damaged.
  func all(of name: String) throws -> [Snapshot] {
    try stored.withLock { stored in
      _ = try read(&stored)
      return stored.pictures[name] ?? []
    }
  }

  /// Stores `own` under `title`, replacing an older one; nil removes it. Returns all snapshots of
  /// the picture. Throws where the file is damaged, and then stays unchanged, or cannot be written.
  func keep(
    _ own: [String: RecipeValue]?, as title: String, of name: String
  ) throws -> [Snapshot] {
    guard !title.isEmpty, title.count <= TuningLimits.snapshotName else {
      throw RequestRefusal.badRequest("name takes 1 to \(TuningLimits.snapshotName) characters")
    }
    return try stored.withLock { stored in
      // Again where another server wrote the file meanwhile.
      while true {
        let bytes = try read(&stored)
        var new = stored
        var list = (new.pictures[name] ?? []).filter { $0.name != title }
        if let own { list.append(Snapshot(name: title, own: own)) }
        new.pictures[name] = list.isEmpty ? nil : list
        guard try write(new, over: bytes) else { continue }
        stored = new
        return list
      }
    }
  }

  /// Returns the bytes of the file; nil if there is none.
  private func read(_ stored: inout Stored) throws -> [UInt8]? {
    guard let file else { return nil }
    guard let bytes = try DocumentFile.bytes(file.bytes) else {
      stored.pictures = [:]
      return nil
    }
    do { stored = try BoundedJSON.decode(Stored.self, from: Data(bytes)) } catch {
      throw RequestRefusal(
        .unprocessableContent, "damaged",
        "\(file.shown): the snapshots of the folder are damaged; repair the file or remove it")
    }
    return bytes
  }

  /// Writes the file, which holds `old`; false where it does no longer.
  private func write(_ stored: Stored, over old: [UInt8]?) throws -> Bool {
    let bytes = try Array(Answers.encoder.encode(stored))
    guard bytes.count <= TuningLimits.snapshotBytes else {
      throw RequestRefusal(
        .contentTooLarge, "tooLarge", "the folder has too many snapshots; remove some")
    }
    // The file has more levels than the request, and could not be read again.
    if let excess = BoundedJSON.excess(of: bytes) {
      throw RequestRefusal.badRequest("own: \(excess)")
    }
    guard let file else { return true }
    if let old {
      return try AtomicFile.replace(bytes, at: file.bytes) {
        (try? DocumentFile.bytes(file.bytes)) == old
      }
    }
    try FileManager.default.createDirectory(
      atPath: file.removingLastComponent().string, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    guard try AtomicFile.create(bytes, at: file.bytes) else { return false }
    // Readable by this user only.
    _ = unsafe file.withPlatformString { unsafe chmod($0, 0o600) }
    return true
  }
}
