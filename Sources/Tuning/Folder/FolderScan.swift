import Batch
import Develop
import Recipes
import SystemPackage

/// What is in an opened folder: its raws as `rawdev batch` lists them, without opening any.
struct FolderScan {
  /// A raw.
  struct Raw {
    /// Its path below the root; links are not resolved.
    var relative: FilePath
    /// The file, with links followed; nil if missing.
    var status: FileStatus?
    /// Whether it has a sidecar of ours, and how that is; zero for none.
    var sidecarStamp: Int
    /// Why it may not be opened.
    var problem: String?
    /// Changes when defaults of its folder do, or an XMP or profile of another program beside it.
    var documentStamp: Int
  }

  private(set) var raws: [Raw] = []
  /// The names in each folder that holds raws, by its path.
  private(set) var listings: [FilePath: FolderListing] = [:]
  /// Folders that hold raws: their state changes when a file in them appears or vanishes.
  private(set) var folders: [FilePath: FileStatus] = [:]
  /// Folders that could not be read, one line each.
  private(set) var notes: [String] = []

  /// What is known of a folder.
  private struct Folder {
    var isInside = false
    var finder: SidecarFinder?
    var defaultsStamp = 0
  }

  /// The raws below `root`, which is absolute and without links, or the one called `raw` in it.
  init(_ root: FilePath, raw: FilePath.Component?) throws(BatchError) {
    let input = raw.map { root.appending($0) } ?? root
    folders[root] = FileStatus(root)
    let list = try SourceList([input], workingFolder: root)
    if let failure = list.failures.first(where: { $0.path == root }) { throw failure }
    notes = list.failures.map(\.description)
    let stamps = Self.stamps(list.companions)
    var opened: [FilePath: Folder] = [:]
    for source in list.sources {
      let folder = source.path.removingLastComponent()
      let known = opened[folder] ?? open(folder, below: root)
      opened[folder] = known
      // A link to a folder elsewhere, or one removed meanwhile.
      guard known.isInside, let relative = source.path.relative(to: root) else { continue }
      let name = source.path.lastComponent?.bytes ?? []
      // Of two sidecars the document says that they are two.
      let sidecar = Result { try known.finder?.own(name) }
      let sidecarStamp =
        switch sidecar {
        case .success(nil): 0
        case .success(let path?): FileStatus(FilePath(bytes: path))?.hashValue ?? 1
        case .failure: 1
        }
      // A raw that was named itself may be a link to anywhere.
      let problem = raw == nil ? Self.problem(source.path, below: root) : nil
      raws.append(
        Raw(
          relative: relative, status: FileStatus(source.path), sidecarStamp: sidecarStamp,
          problem: problem,
          documentStamp: Self.stamp(of: source.path, stamps) ^ known.defaultsStamp))
    }
  }

  /// Whether `folder` is below `root`, links followed, and how sidecars are found in it.
  private mutating func open(_ folder: FilePath, below root: FilePath) -> Folder {
    guard Self.isInside(folder, root) else { return Folder() }
    // As it was before it was listed: what appeared meanwhile is found the next time.
    folders[folder] = folders[folder] ?? FileStatus(folder)
    listings[folder] = try? FolderListing(folder: folder.bytes)
    return Folder(
      isInside: true,
      finder: listings[folder].map { SidecarFinder(folder: folder.bytes, listing: $0) },
      defaultsStamp: Self.defaultsStamp(around: folder))
  }

  /// State of the defaults of `folder` and of those around it.
  private static func defaultsStamp(around folder: FilePath) -> Int {
    var (stamp, folder) = (0, folder)
    repeat {
      for name in FolderDefaults.names {
        stamp = stamp &* 31 &+ (FileStatus(folder.pushing(FilePath(name)))?.hashValue ?? 0)
      }
    } while folder.removeLastComponent()
    return stamp
  }

  /// Whether `path` is there and, with links followed, below `root`.
  static func isInside(_ path: FilePath, _ root: FilePath) -> Bool {
    DocumentFile.resolved(path.bytes).map { FilePath(bytes: $0).starts(with: root) } ?? false
  }

  /// Throws where the document at `path` is or follows a link that points outside `root`:
  /// that may have come with the folder. A missing one may be created.
  static func requireInside(_ path: FilePath, _ root: FilePath) throws(RecipeError) {
    guard let relative = path.relative(to: root) else {
      throw RecipeError(
        .cannotRead, "this is not in \(root.shown); open the folder that it is in",
        path: path.shown)
    }
    do { try Folders.requireNoWayOut(of: root, to: relative, isFollowed: true) } catch {
      throw RecipeError(.cannotRead, error.message)
    }
  }

  /// Why the file at `path` may not be opened; nil where it may.
  static func problem(_ path: FilePath, below root: FilePath) -> String? {
    guard let own = try? Stat(path, followTargetSymlink: false) else {
      return "the file is no longer there; copy it back or reload the folder"
    }
    if own.type == .symbolicLink {
      guard let target = FileStatus(path) else {
        return "this is a link to a file that is not there; remove it"
      }
      guard isInside(path, root) else {
        return "this is a link that leads out of the folder; open the folder that it leads to"
      }
      return target.kind == .regular ? nil : notAFile
    }
    return own.type == .regular ? nil : notAFile
  }

  private static let notAFile = "this is not a regular file; remove it from the folder"

  /// State of the sidecars of other programs, by their paths without the last extension.
  private static func stamps(_ companions: [FilePath]) -> [FilePath: Int] {
    var stamps: [FilePath: Int] = [:]
    for path in companions {
      guard ["xmp", "pp3"].contains(path.extension?.lowercased() ?? ""),
        let status = FileStatus(path)
      else { continue }
      let owner = path.removingLastComponent().pushing(FilePath(bytes: path.stemBytes))
      stamps[owner, default: 0] ^= status.hashValue
    }
    return stamps
  }

  private static func stamp(of raw: FilePath, _ stamps: [FilePath: Int]) -> Int {
    let stem = raw.removingLastComponent().pushing(FilePath(bytes: raw.stemBytes))
    return (stamps[raw] ?? 0) ^ (stamps[stem] ?? 0)
  }
}
