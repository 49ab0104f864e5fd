public import SystemPackage

/// One raw to develop.
public struct BatchSource: Sendable, Hashable {
  /// Where it stands, absolute.
  public var path: FilePath
  /// Its place below the folder that was given, which the output folder mirrors; its name alone for files.
  public var relativePath: FilePath
  /// Whether another source differs from it by its extension only.
  public var isNameShared = false
  /// Whether another source before it has the same place, and with it the same outputs.
  public var isDuplicate = false
  /// What reports call it.
  public var id: String
  /// Named recipe or recipe values of its own, weaker than its sidecar; nil for none.
  public var recipe: ManifestEntry.Recipe?
  /// Place and name of its outputs below the output folder, without extension; nil for the recipe's template.
  public var output: String?

  /// What a manifest anywhere says of it.
  var entry: ManifestEntry {
    var entry = ManifestEntry(id: id, in: path.text)
    (entry.recipe, entry.out, entry.place) = (recipe, output, relativePath.text)
    return entry
  }

  /// A source.
  public init(path: FilePath, relativePath: FilePath, id: String? = nil) {
    (self.path, self.relativePath) = (path, relativePath)
    self.id = id ?? relativePath.text
  }
}

/// The raws in folders, sorted by path, each once.
public struct SourceList: Sendable {
  /// What was found.
  public private(set) var sources: [BatchSource] = []
  /// Files that are no raws by their extension: pictures beside raws, others.
  public private(set) var passedOver = 0
  /// Sidecars and defaults of folders, with places where there may be some later.
  public private(set) var companions: [FilePath] = []
  /// Folders that could not be read.
  public private(set) var failures: [BatchError] = []

  /// Extensions of camera raws and DNGs, in lower case.
  public static let extensions: Set<String> = [
    "3fr", "ari", "arw", "bay", "cap", "cr2", "cr3", "crw", "cs1", "dc2", "dcr", "dng", "drf",
    "dsc", "eip", "erf", "fff", "gpr", "iiq", "k25", "kdc", "mdc", "mef", "mfw", "mos", "mrw",
    "nef",
    "nrw", "orf", "ori", "pef", "ptx", "pxn", "qtk", "r3d", "raf", "raw", "rdc", "rw2", "rwl",
    "rwz",
    "sr2", "srf", "srw", "sti", "x3f",
  ]

  /// Whether a file of this name is taken for a raw.
  public static func isRaw(_ name: FilePath.Component) -> Bool {
    name.extension.map { extensions.contains($0.lowercased()) } ?? false
  }

  /// The raws at `inputs`: files as they are, folders with what is below them, but hidden files and
  /// folders and `except`; where `isFlat`, outputs all go to one folder. `workingFolder` is what relative
  /// paths start from.
  public init(
    _ inputs: [FilePath], workingFolder: FilePath, except: FilePath? = nil,
    isFlat: Bool = false
  ) throws(BatchError) {
    var seen: Set<FilePath> = []
    var folders: Set<FilePath> = []
    let except = except.flatMap { FileStatus($0) }
    let paths = inputs.map { workingFolder.pushing($0).lexicallyNormalized() }
    // Of several folders each keeps its name, so that what is alike in them does not meet.
    let areSeveral = paths.count { FileStatus($0)?.kind == .folder } > 1
    for (input, path) in zip(inputs, paths) {
      guard let status = FileStatus(path) else {
        throw BatchError(.cannotRead, "there is no such file or folder", path: input)
      }
      if status.kind == .folder {
        let root = areSeveral ? path.removingLastComponent() : path
        walk(path, below: root, except: except, &seen, [status])
        addDefaults(around: path.removingLastComponent(), &folders)
      } else if let name = path.lastComponent, seen.insert(path).inserted {
        sources.append(BatchSource(path: path, relativePath: FilePath(root: nil, [name])))
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

  private static let sidecarExtensions: Set<String> = ["xmp", "yaml", "yml", "json"]

  private static func defaults(in folder: FilePath) -> [FilePath] {
    ["defaults.yaml", "defaults.yml", "defaults.json"].map { folder.appending($0) }
  }

  /// The names that sidecars of the raw at `path` may have.
  private static func sidecars(of path: FilePath) -> [FilePath] {
    let folder = path.removingLastComponent()
    let name = path.lastComponent?.bytes ?? []
    let own = ["rawdev.yaml", "rawdev.yml", "rawdev.json", "xmp", "XMP"].map {
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
  static func markSharedNames(_ sources: inout [BatchSource]) {
    func name(_ source: BatchSource) -> FilePath {
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
    _ above: [FileStatus]
  ) {
    let names: [FilePath.Component]
    do { names = try FolderNames.all(in: folder) } catch {
      failures.append(error)
      return
    }
    for name in names {
      if name.string == ".rawdev" { companions += Self.defaults(in: folder.appending(name)) }
      if name.bytes.first == UInt8(ascii: ".") { continue }
      let path = folder.appending(name)
      let found = FileStatus(path)
      // One that is a link to nothing is named as a file that fails.
      if Self.isRaw(name), found?.kind != .folder {
        guard seen.insert(path).inserted else { continue }
        sources.append(
          BatchSource(
            path: path, relativePath: path.relative(to: root) ?? FilePath(root: nil, [name])))
        continue
      }
      guard let status = found else { continue }
      if status.kind != .folder {
        if Self.sidecarExtensions.contains(name.extension?.lowercased() ?? "") {
          companions.append(path)
        } else {
          passedOver += 1
        }
      } else if !(except?.isSameFile(as: status) ?? false),
        !above.contains(where: status.isSameFile)
      {
        walk(path, below: root, except: except, &seen, above + [status])
      }
    }
  }
}
