import Develop
import Dispatch
import Foundation
import RawFilter
import SystemPackage
import Tuning

/// The raws that pages work on. The one that was not asked for longest is closed, so that memory
/// stays bounded however many pictures a person goes through.
actor OpenPictures {
  /// An opened raw.
  struct Picture: Sendable {
    let id: Int
    let path: FilePath
    let session: TuningSession
    let document: TuningDocument
  }

  /// What tells whether the file is still the one that was opened.
  private struct Stamp: Equatable {
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int

    init(_ path: FilePath) throws(Errno) {
      let status = try Stat(path)
      (inode, size) = (UInt64(status.inode.rawValue), status.size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private struct Entry {
    var id: Int
    var stamp: Stamp
    var opening: Task<Picture, any Error>
  }

  private let folder: TuningFolder
  private let limit: Int
  private let executor = RenderExecutor("rawdev.open", .userInitiated)
  /// The most recently used last.
  private var entries: [Entry] = []

  init(_ folder: TuningFolder, limit: Int) { (self.folder, self.limit) = (folder, limit) }

  /// The opened raw `id`: opened again where the file was replaced. Throws where there is none or
  /// it cannot be opened.
  func picture(_ id: Int) async throws -> Picture {
    let path = try Self.path(id, in: folder)
    let stamp: Stamp
    do { stamp = try Stamp(path) } catch {
      entries.removeAll { $0.id == id }
      throw RequestRefusal.notFound("\(path.shown): the file is not there any more")
    }
    if let index = entries.firstIndex(where: { $0.id == id && $0.stamp == stamp }) {
      let entry = entries.remove(at: index)
      entries.append(entry)
      return try await entry.opening.value
    }
    entries.removeAll { $0.id == id }
    let opening = Task(executorPreference: executor) {
      let session = try TuningSession(path: path.bytes)
      let document = try TuningDocument(path: path, filter: session.filter)
      return Picture(id: id, path: path, session: session, document: document)
    }
    entries.append(Entry(id: id, stamp: stamp, opening: opening))
    if entries.count > limit { entries.removeFirst(entries.count - limit) }
    do { return try await opening.value } catch {
      // Tried again the next time, as the file may have been incomplete.
      entries.removeAll { $0.id == id && $0.opening == opening }
      throw error
    }
  }

  /// The raw `id` if it is open already, without counting as use.
  func known(_ id: Int) async -> Picture? {
    try? await entries.first { $0.id == id }?.opening.value
  }

  /// All that are open.
  func all() async -> [Picture] {
    var pictures: [Picture] = []
    for entry in entries {
      if let picture = try? await entry.opening.value { pictures.append(picture) }
    }
    return pictures
  }

  private static func path(_ id: Int, in folder: TuningFolder) throws -> FilePath {
    guard id >= 0, id < folder.count else {
      throw RequestRefusal.notFound("there is no picture \(id); load the page again")
    }
    return try folder.path(id)
  }
}
