import Batch
import Develop
import Formats
import Foundation
import HTTPTypes
import Recipes
import Synchronization
import SystemPackage

/// Values of pictures that were kept under names: in a file of this user for each folder, so that
/// they are there at the next start, or as long as the server runs where there is no such file.
final class Snapshots: Sendable {
  /// Values under a name.
  struct Snapshot: Codable, Sendable {
    var name: String
    var own: [String: RecipeValue]
  }

  private struct Kept: Codable, Sendable {
    /// The folder, for people who look at the file.
    var folder: String
    /// By the names of pictures below the folder.
    var pictures: [String: [Snapshot]] = [:]
  }

  private let file: FilePath?
  /// What is kept; where there is a file, that is read each time, as other servers write it.
  private let kept: Mutex<Kept>

  /// Those of `folder`, kept in a file in `state`; nil for none.
  init(of folder: FilePath, in state: FilePath?) {
    file = state?.appending("\(Digest.of(folder.bytes).prefix(32)).json")
    kept = Mutex(Kept(folder: folder.string))
  }

  /// Those of the picture `name`, the oldest first. Throws where the file is damaged.
  func all(of name: String) throws -> [Snapshot] {
    try kept.withLock { kept in
      _ = try read(&kept)
      return kept.pictures[name] ?? []
    }
  }

  /// Keeps `own` under `title` in place of what was there; nil removes that. Returns all of the
  /// picture. Throws where the file is damaged, which is then left alone, or cannot be written.
  func keep(
    _ own: [String: RecipeValue]?, as title: String, of name: String
  ) throws -> [Snapshot] {
    guard !title.isEmpty, title.count <= TuningLimits.snapshotName else {
      throw RequestRefusal.badRequest("name takes 1 to \(TuningLimits.snapshotName) characters")
    }
    return try kept.withLock { kept in
      // Again where another server wrote the file meanwhile.
      while true {
        let bytes = try read(&kept)
        var new = kept
        var list = (new.pictures[name] ?? []).filter { $0.name != title }
        if let own { list.append(Snapshot(name: title, own: own)) }
        new.pictures[name] = list.isEmpty ? nil : list
        guard try write(new, over: bytes) else { continue }
        kept = new
        return list
      }
    }
  }

  /// Returns the bytes of the file; nil where there is none.
  private func read(_ kept: inout Kept) throws -> [UInt8]? {
    guard let file else { return nil }
    guard let bytes = try DocumentFile.bytes(file.bytes) else {
      kept.pictures = [:]
      return nil
    }
    do { kept = try BoundedJSON.decode(Kept.self, from: Data(bytes)) } catch {
      throw RequestRefusal(
        .unprocessableContent, "damaged",
        "\(file.shown): the snapshots of the folder are damaged; repair the file or remove it")
    }
    return bytes
  }

  /// Writes the file, which holds `old`; false where it does no longer.
  private func write(_ kept: Kept, over old: [UInt8]?) throws -> Bool {
    let bytes = try Array(Answers.encoder.encode(kept))
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
    // What somebody works on is nobody else's.
    _ = unsafe file.withPlatformString { unsafe chmod($0, 0o600) }
    return true
  }
}
