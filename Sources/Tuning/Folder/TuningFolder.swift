import Batch
import Develop
public import Foundation
import ImageCore
import RawFilter
import Recipes
import Synchronization
public import SystemPackage

/// A list of raws: those in a folder and its subfolders, or a single one. Thread-safe.
///
/// Opening lists names only; no raw is opened. Ratings are read in the background once an entry was
/// requested: from the XMP beside the raw, else from the raw itself. No raw outside of the folder
/// is opened: links that point outside are refused, on each access.
public final class TuningFolder: Sendable {
  /// A raw of the folder.
  public struct Entry: Sendable, Hashable, Codable {
    /// Its identity, which changes when the file is replaced.
    public var id: PictureID
    /// Its name below the folder, for people.
    public var name: String
    /// 1 to 5 of its XMP, 0 for none, -1 for rejected; 0 as long as it was not looked at.
    public var rating: Int
    /// Whether it has a sidecar of ours.
    public var hasSettings: Bool
    /// Length of the file; nil where it is missing.
    public var bytes: Int?
    /// Why it cannot be displayed; nil where it can, as far as is known.
    public var problem: String?
  }

  /// The folder, absolute, without links.
  public let root: FilePath
  /// Whether it was opened for one raw alone.
  public var isSingle: Bool { single != nil }

  /// A request about a picture is refused, since its path has another file now.
  public struct AnotherPicture: LocalizedError, Sendable, CustomStringConvertible {
    /// The name below the folder.
    public let name: String

    /// What happened and what to do next, one line.
    public var description: String {
      "\(name): the file was replaced by another picture, which was not changed; reopen it"
    }
    /// The complete `description`.
    public var errorDescription: String? { description }
  }

  private let single: FilePath.Component?
  private let state: Mutex<State>
  private let thumbnails = ThumbnailCache(limit: 32 << 20)
  private let work = BlockingWork(limit: min(Parallel.defaultWorkers, 4))

  /// Thumbnails with longer sides are not remembered, pixels.
  private static let longestRemembered = 1600

  /// Opens the folder at `path`, or the one raw there. Throws `BatchError`.
  public init(_ path: FilePath) throws {
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
    first.take(try FolderScan(root, raw: single))
    first.isChanged = false
    state = Mutex(first)
  }

  /// The number of raws, including those missing meanwhile.
  public var count: Int { state.withLock { $0.pictures.count } }

  /// Folders that could not be read, one line each.
  public var notes: [String] { state.withLock { $0.notes } }

  /// Up to `count` entries from `first` on.
  public func entries(from first: Int, count: Int) -> [Entry] {
    let (entries, starts) = state.withLock { state in
      let lower = min(max(first, 0), state.pictures.count)
      let ids = lower..<(lower + min(max(count, 0), state.pictures.count - lower))
      let starts = state.wantRatings(of: ids)
      return (state.pictures[ids].map(\.entry), starts)
    }
    if starts {
      Cancellation.detach { [weak self] in self?.readRatings() }
    }
    return entries
  }

  /// The entry of the raw `id` as it was last seen; nil where there never was one of this path.
  public func entry(_ id: PictureID) -> Entry? {
    state.withLock { state in state.index(id).map { state.pictures[$0].entry } }
  }

  /// The path of the raw `id`. Throws `BatchError` where it is unknown, missing, or outside of the
  /// folder, and ``AnotherPicture`` where the file was replaced. A read error is remembered until
  /// the file changes.
  public func path(_ id: PictureID) throws -> FilePath {
    let (path, index, status) = try checked(id)
    state.withLock { $0.opened(index, status) }
    return path
  }

  /// The embedded preview of the raw, upright, no side longer than `side` pixels (16…8192), as a
  /// JPEG in sRGB; developed if there is none. Thumbnails of 1600 pixels and less are cached. Few
  /// are made at a time, others wait; a cancelled task stops waiting.
  public func thumbnail(_ id: PictureID, side: Int) async throws -> [UInt8] {
    let side = min(max(side, 16), 8192)
    let (path, index, status) = try checked(id)
    let key = ThumbnailCache.Key(
      path: path, changed: status.changed, bytes: status.bytes, side: side)
    if let known = thumbnails[key] { return known }
    do {
      let made = try await work.run {
        let raw = try Self.open(path)
        return (
          jpeg: try RawThumbnail(side: side).jpeg(of: raw),
          rating: PictureRating.embedded(raw.properties)
        )
      }
      if side <= Self.longestRemembered { thumbnails.insert(made.jpeg, for: key) }
      state.withLock { $0.rate(index, embedded: made.rating, of: status) }
      return made.jpeg
    } catch let error as RAWError {
      state.withLock { $0.fail(index, error.message, of: status) }
      throw error
    }
  }

  /// Lists the folder again; known raws keep their indices, new ones follow. Returns whether an
  /// entry changed since the last call, including ratings read meanwhile. Throws `BatchError` where
  /// the folder cannot be read.
  public func refresh() throws -> Bool {
    let scan: FolderScan?
    do { scan = try FolderScan(root, raw: single) } catch {
      guard isSingle else { throw error }
      scan = nil
    }
    return state.withLock { state in
      state.take(scan)
      defer { state.isChanged = false }
      return state.isChanged
    }
  }

  /// The path of the raw `id`, its index and its file, after checking the file system.
  private func checked(
    _ id: PictureID
  ) throws -> (path: FilePath, index: Int, status: FileStatus) {
    let known = state.withLock { state in
      state.index(id).map { ($0, state.pictures[$0].relative) }
    }
    guard let (index, relative) = known else {
      throw BatchError(.cannotRead, "the folder no longer has this picture; reload the page")
    }
    let path = try allowed(relative)
    guard let status = FileStatus(path) else { throw Self.gone(path) }
    guard PictureID.file(status) == id.file else { throw AnotherPicture(name: relative.shown) }
    return (path, index, status)
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

  private static func open(_ path: FilePath) throws(RAWError) -> RAWFilter {
    try ReadablePath(path).withText { (text) throws(RAWError) in
      try RAWFilter(url: URL(fileURLWithPath: text))
    }
  }

  /// Reads the ratings of all raws that wait for it.
  private func readRatings() {
    while let next = state.withLock({ $0.nextToRate(below: root) }) {
      let rating = PictureRating.beside(next.name, in: next.folder, next.listing)
      state.withLock { $0.rate(next.index, beside: rating) }
      // The metadata of a raw are read within about a millisecond.
      guard rating == nil, let path = try? allowed(next.relative), let status = FileStatus(path)
      else { continue }
      do throws(RAWError) {
        let embedded = PictureRating.embedded(try Self.open(path).properties)
        state.withLock { $0.rate(next.index, embedded: embedded, of: status) }
      } catch {
        state.withLock { $0.fail(next.index, error.message, of: status) }
      }
    }
  }
}
