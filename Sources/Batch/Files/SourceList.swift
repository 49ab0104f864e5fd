public import Develop
public import SystemPackage

/// The raws in folders, sorted by path, without repetition.
public struct SourceList: Sendable {
  /// The raws, in the order of the inputs.
  public private(set) var sources: [RawSource] = []
  /// Number of other files, without hidden ones and sidecars.
  public private(set) var passedOver = 0
  /// Paths of sidecars and folder defaults, including those that do not exist yet, for
  /// ``WatchList``.
  public private(set) var companions: [FilePath] = []
  /// Folders below the inputs that could not be read.
  public private(set) var failures: [BatchError] = []

  /// The raws at `inputs`, which are relative to `workingFolder`: files with any name, and
  /// folders, with `isRecursive` including their subfolders except hidden ones and `except`. Each
  /// raw is listed once, by the first path that leads to it. With `isFlat` relative paths are
  /// names, so that all outputs go to one folder. Throws ``BatchError/Code/cannotRead`` where an
  /// input does not exist.
  public init(
    _ inputs: [FilePath], workingFolder: FilePath, except: FilePath? = nil,
    isFlat: Bool = false, isRecursive: Bool = true
  ) throws(BatchError) {
    self.isRecursive = isRecursive
    var seen: Set<FilePath> = []
    var folders: Set<FilePath> = []
    let except = except.flatMap { FileStatus($0) }
    let paths = inputs.map { workingFolder.pushing($0).lexicallyNormalized() }
    // Of several folders each keeps its name, so that equal names in them do not collide.
    let areSeveral = paths.count { FileStatus($0)?.kind == .directory } > 1
    for (input, path) in zip(inputs, paths) {
      guard let status = FileStatus(path) else {
        throw BatchError(.cannotRead, "no such file or folder", path: input)
      }
      if status.kind == .directory {
        let root = areSeveral ? path.removingLastComponent() : path
        var visited: Set<FileStatus.Identity> = [status.identity]
        walk(path, below: root, except: except, &seen, &visited)
        addDefaults(around: path.removingLastComponent(), &folders)
      } else if let name = path.lastComponent, seen.insert(path).inserted {
        sources.append(RawSource(path: path, relativePath: FilePath(root: nil, [name])))
        companions += Self.sidecars(of: path)
        addDefaults(around: path.removingLastComponent(), &folders)
      }
    }
    if isFlat {
      for index in sources.indices {
        sources[index].relativePath = FilePath(
          root: nil, [sources[index].path.lastComponent].compactMap(\.self))
      }
    }
    Self.markSharedNames(&sources)
  }

  private let isRecursive: Bool

  private static let sidecarExtensions: Set<String> = ["xmp", "pp3", "yaml", "yml", "json"]

  private static func defaults(in folder: FilePath) -> [FilePath] {
    ["defaults.yaml", "defaults.yml", "defaults.json"].map { folder.appending($0) }
  }

  /// The names that sidecars of the raw at `path` may have.
  private static func sidecars(of path: FilePath) -> [FilePath] {
    let folder = path.removingLastComponent()
    let name = path.lastComponent?.bytes ?? []
    let own = ["rawdev.yaml", "rawdev.yml", "rawdev.json", "xmp", "XMP", "pp3", "PP3"].map {
      name + Array(".\($0)".utf8)
    }
    let shared = ["xmp", "XMP"].map { path.stemBytes + Array(".\($0)".utf8) }
    return (own + shared).map { folder.pushing(FilePath(bytes: $0)) }
  }

  /// Adds the defaults of `folder` and of those around it.
  private mutating func addDefaults(around folder: FilePath, _ known: inout Set<FilePath>) {
    var folder = folder
    while known.insert(folder).inserted {
      companions += Self.defaults(in: folder.appending(".rawdev"))
      guard folder.removeLastComponent() else { return }
    }
  }

  /// Marks sources that differ by their extension only, and those that do not differ.
  static func markSharedNames(_ sources: inout [RawSource]) {
    func name(_ source: RawSource) -> FilePath {
      source.relativePath.removingLastComponent().pushing(FilePath(bytes: source.path.stemBytes))
    }
    let counts = Dictionary(sources.map { (name($0), 1) }, uniquingKeysWith: +)
    var relativePaths: Set<FilePath> = []
    for index in sources.indices {
      sources[index].isNameShared = counts[name(sources[index])] ?? 0 > 1
      sources[index].isDuplicate =
        sources[index].output == nil && !relativePaths.insert(sources[index].relativePath).inserted
    }
  }

  private mutating func walk(
    _ folder: FilePath, below root: FilePath, except: FileStatus?, _ seen: inout Set<FilePath>,
    _ visited: inout Set<FileStatus.Identity>
  ) {
    let names: [FilePath.Component]
    do { names = try Folders.names(in: folder) } catch {
      failures.append(error)
      return
    }
    for name in names {
      if name.string == ".rawdev" { companions += Self.defaults(in: folder.appending(name)) }
      if name.bytes.first == UInt8(ascii: ".") { continue }
      let path = folder.appending(name)
      let found = FileStatus(path)
      // A broken link is listed, and later reported as a failure.
      if RawSource.isRaw(name), found?.kind != .directory {
        guard seen.insert(path).inserted else { continue }
        sources.append(
          RawSource(
            path: path, relativePath: path.relative(to: root) ?? FilePath(root: nil, [name])))
        continue
      }
      guard let status = found else { continue }
      if status.kind != .directory {
        if Self.sidecarExtensions.contains(name.extension?.lowercased() ?? "") {
          companions.append(path)
        } else {
          passedOver += 1
        }
      } else if isRecursive, !(except?.isSameFile(as: status) ?? false),
        visited.insert(status.identity).inserted
      {
        walk(path, below: root, except: except, &seen, &visited)
      }
    }
  }
}
