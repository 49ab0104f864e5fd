import Batch
import Develop
import Foundation
import ImageCore
import RawFilter
package import Recipes
import Synchronization
package import SystemPackage

/// A list of raws: those in a folder and its subfolders, or a single one. Thread-safe.
///
/// Opening lists names only; no raw is opened. Marks, dates and what is cut off are read in the
/// background once an entry was requested: marks from our sidecar, else from the XMP beside the
/// raw, else from the raw itself. No raw outside of the folder is opened: links that point outside
/// are refused, on each access.
package final class TuningFolder: Sendable {
  /// A raw of the folder.
  package struct Entry: Sendable, Hashable, Codable {
    /// Its identity, which changes when the file is replaced.
    package var id: PictureID
    /// Its name below the folder, for people.
    package var name: String
    /// Stars, 0…5; nil where nothing says, or it was not looked at yet.
    package var rating: Int?
    /// Whether it is a pick or a reject; nil for neither.
    package var pick: PictureMarks.Pick?
    /// Whether a sidecar of ours, or the journal, has more for it than marks.
    package var hasSettings: Bool
    /// Length of the file; nil where it is missing.
    package var bytes: Int?
    /// Why it cannot be displayed, or not all of it; nil where it can, as far as is known.
    package var problem: String?
    /// Time of the exposure, ISO 8601; nil where unknown, or it was not looked at yet.
    package var date: String?
    /// Changes with the file and with all documents that bear on how it is rendered, except those
    /// that others extend.
    package var revision: String
  }

  /// The folder, absolute, without links.
  package let root: FilePath
  /// Whether it was opened for one raw alone.
  package var isSingle: Bool { single != nil }

  /// A request about a picture is refused, since its path has another file now.
  package struct AnotherPicture: LocalizedError, Sendable, CustomStringConvertible {
    /// The name below the folder.
    package let name: String

    /// What happened and what to do next, one line.
    package var description: String {
      "\(name): the file was replaced by another picture, which was not changed; reopen it"
    }
    /// The complete `description`.
    package var errorDescription: String? { description }
  }

  /// What changed since it was looked at last.
  package enum Change: Sendable {
    /// Nothing.
    case nothing
    /// Entries.
    case entries
    /// Files appeared or vanished.
    case list
  }

  private let single: FilePath.Component?
  let state: Mutex<State>
  let thumbnails = ThumbnailCache(limit: 32 << 20)
  private let work = BlockingWork(limit: min(Parallel.defaultWorkers, 4))
  private let schedule = Mutex(ScanSchedule())

  /// Thumbnails with longer sides are not remembered, pixels.
  private static let longestRemembered = 1600

  /// Opens the folder at `path`, or the one raw there. Throws `BatchError`.
  package init(_ path: FilePath) throws {
    var folder = path
    var single: FilePath.Component?
    guard let status = FileStatus(path) else {
      throw BatchError(.cannotRead, "there is no such file or folder", path: path)
    }
    if status.kind != .directory {
      single = path.lastComponent
      folder = path.removingLastComponent()
    }
    // The folder that holds the name, not the target of a link of that name: sidecars are there.
    guard let found = DocumentFile.resolved(folder.isEmpty ? [0x2E] : folder.bytes) else {
      throw BatchError(.cannotRead, "there is no such file or folder", path: path)
    }
    root = FilePath(bytes: found)
    self.single = single
    var first = State()
    first.take(try FolderScan(root, raw: single), keepsMissing: single != nil)
    first.change = .nothing
    state = Mutex(first)
  }

  /// The number of raws.
  package var count: Int { state.withLock { $0.order.count } }

  /// Folders that could not be read, one line each.
  package var notes: [String] { state.withLock { $0.notes } }

  /// Up to `count` entries from `first` on, in the order of names.
  package func entries(from first: Int, count: Int) -> [Entry] {
    pictures(from: first, count: count).map { $0.entry() }
  }

  /// The same with all that is known.
  func pictures(from first: Int, count: Int) -> [Picture] {
    let (pictures, starts) = state.withLock { state in
      let lower = min(max(first, 0), state.order.count)
      let keys = state.order[lower..<(lower + min(max(count, 0), state.order.count - lower))]
      let starts = state.want(keys)
      return (keys.compactMap { state.pictures[$0] }, starts)
    }
    if starts {
      Cancellation.detach { [weak self] in self?.readDetails() }
    }
    return pictures
  }

  /// The entry of the raw `id` as it was last seen; nil where there never was one of this path.
  package func entry(_ id: PictureID) -> Entry? { state.withLock { $0[id]?.entry() } }

  /// The path of the raw `id`. Throws `BatchError` where it is unknown, missing, or outside of the
  /// folder, and ``AnotherPicture`` where the file was replaced. A read error is remembered until
  /// the file changes.
  package func path(_ id: PictureID) throws -> FilePath {
    let (path, status) = try checked(id)
    state.withLock { $0.opened(id, status) }
    return path
  }

  /// The embedded preview of the raw, upright, no side longer than `side` pixels (16…8192), as a
  /// JPEG in sRGB; developed if there is none. Thumbnails of 1600 pixels and less are cached. A few
  /// previews are read at a time, others wait; what has to be developed waits until nothing else is
  /// rendered, and holds up no preview. A cancelled task stops waiting.
  package func thumbnail(_ id: PictureID, side: Int) async throws -> [UInt8] {
    let side = min(max(side, 16), 8192)
    let (path, status) = try checked(id)
    let key = ThumbnailCache.Key(path: path, status, side: side)
    if let known = thumbnails[key] { return known }
    let thumbnail = RawThumbnail(side: side)
    do {
      let (raw, preview) = try await work.run { [self] in
        let raw = try Self.open(path)
        state.withLock { $0.take(RawDetails(raw, status), of: id.path) }
        return (raw, try thumbnail.preview(of: raw))
      }
      let jpeg: [UInt8]
      if let preview {
        jpeg = preview
      } else {
        jpeg = try await RenderQueue.shared.runIdle { try thumbnail.developed(raw) }
      }
      if side <= Self.longestRemembered { thumbnails.insert(jpeg, for: key) }
      return jpeg
    } catch let error as RAWError {
      state.withLock { $0.fail(id.path, error.message, of: status) }
      throw error
    }
  }

  /// Lists the folder again, in the order of names; raws that are gone are listed no more, unless
  /// it was opened for one alone. Returns whether an entry changed since the last call, including
  /// details read meanwhile. Throws `BatchError` where the folder cannot be read.
  @discardableResult
  package func refresh() throws -> Bool {
    let start = ContinuousClock.now
    let scan: FolderScan?
    do { scan = try FolderScan(root, raw: single) } catch {
      guard isSingle else { throw error }
      scan = nil
    }
    let change = state.withLock { state in
      state.take(scan, keepsMissing: isSingle)
      defer { state.change = .nothing }
      return state.change
    }
    schedule.withLock { $0.scanned(from: start, found: change) }
    return change != .nothing
  }

  /// What changed since the last call, or ``refresh()``. To be called about once a second: lists
  /// the folder again as soon as a file in it appeared or vanished, and otherwise seldom. Throws
  /// as ``refresh()``.
  package func look() throws -> Change {
    let folders = state.withLock { $0.folders }
    let isChanged = folders.contains { FileStatus($0.key) != $0.value }
    let isDue = schedule.withLock { $0.isDue(isChanged) }
    guard isDue else {
      return state.withLock { state in
        defer { state.change = .nothing }
        return state.change
      }
    }
    let order = state.withLock { $0.order }
    guard try refresh() else { return .nothing }
    return state.withLock { $0.order } == order ? .entries : .list
  }

  /// Checks the file system for the raw `id`.
  func checked(_ id: PictureID) throws -> (path: FilePath, status: FileStatus) {
    guard let relative = state.withLock({ $0[id]?.relative }) else {
      throw BatchError(.cannotRead, "the folder no longer has this picture; reload the page")
    }
    let path = try allowed(relative)
    guard let status = FileStatus(path) else { throw Self.gone(path) }
    guard PictureID.file(status) == id.file else { throw AnotherPicture(name: relative.shown) }
    return (path, status)
  }

  /// The path of the raw at `relative`. Throws where it is missing or outside of the folder.
  private func allowed(_ relative: FilePath) throws(BatchError) -> FilePath {
    let path = root.pushing(relative)
    guard FileStatus(path) != nil else { throw Self.gone(path) }
    guard !isSingle else { return path }
    guard FolderScan.isInside(path.removingLastComponent(), root) else {
      throw BatchError(
        .cannotRead, "its folder leads out of the opened one; open that folder instead",
        path: path)
    }
    if let problem = FolderScan.problem(path, below: root) {
      throw BatchError(.cannotRead, problem, path: path)
    }
    return path
  }

  private static func gone(_ path: FilePath) -> BatchError {
    BatchError(
      .cannotRead, "the file is no longer there; copy it back or reload the folder", path: path)
  }

  static func open(_ path: FilePath) throws(RAWError) -> RAWFilter {
    try ReadablePath(path).withText { (text) throws(RAWError) in
      try RAWFilter(url: URL(fileURLWithPath: text))
    }
  }

  /// Reads the details of all raws that wait for it.
  private func readDetails() {
    while let next = state.withLock({ $0.nextWanted(below: root) }) {
      let path = root.pushing(next.relative)
      let sidecar =
        next.hasSidecar
        ? SidecarSummary(OwnSidecar(of: path, below: root, among: next.listing)) : nil
      let beside = RawDetails.marks(
        beside: path.lastComponent?.bytes ?? [], in: next.folder.bytes, next.listing)
      state.withLock { $0.take(sidecar, beside, of: next.key) }
      guard next.readsRaw, let path = try? allowed(next.relative), let status = FileStatus(path)
      else { continue }
      do throws(RAWError) {
        let details = RawDetails(try Self.open(path), status)
        state.withLock { $0.take(details, of: next.key) }
      } catch {
        state.withLock { $0.fail(next.key, error.message, of: status) }
      }
    }
  }
}
