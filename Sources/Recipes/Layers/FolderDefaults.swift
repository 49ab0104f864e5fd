import Synchronization

/// The defaults of folders: `.rawdev/defaults.yaml` or `.json` in the folder of a raw and in those
/// above it, up to one with `root: true`. Each file is read once until `forget()`. Thread-safe.
public final class FolderDefaults: Sendable {
  /// The defaults of one folder.
  private struct Level: Sendable {
    var documents: [RecipeDocument]
    var rules: [DefaultsRule]
    var isRoot: Bool
  }
  /// The defaults of one folder; nil where it has none.
  private typealias Found = Result<Level?, RecipeError>

  /// The files that may hold the defaults of a folder, relative to it, the usual one first.
  package static let names = ["yaml", "yml", "json"].map { ".rawdev/defaults.\($0)" }

  private struct State {
    var folders: [[UInt8]: Found] = [:]
    var chains: [[UInt8]: Result<[Level], RecipeError>] = [:]
    var reads = 0
  }
  private let state = Mutex(State())

  /// Files are read when they are first needed.
  public init() {}

  /// Reads all files again when they are needed next.
  public func forget() { state.withLock { $0 = State() } }

  /// The number of files that were looked for.
  package var reads: Int { state.withLock { $0.reads } }

  /// The layers for a picture in `folder`, weakest first: rules for cameras, for cameras and ISO
  /// speeds, for lenses, then the values for all pictures.
  public func layers(
    folder: [UInt8], info: PictureInfo = PictureInfo()
  ) throws(RecipeError) -> [RecipeLayer] {
    let levels = try levels(folder)
    var matching: [(rule: DefaultsRule, near: Int, layer: RecipeLayer)] = []
    for (near, level) in levels.enumerated() {
      for rule in level.rules {
        if let layer = rule.layer(for: info) { matching.append((rule, near, layer)) }
      }
    }
    // A stable sort: of equals the later rule overrides.
    let rules = matching.enumerated().sorted { a, b in
      let (x, y) = (a.element, b.element)
      if x.rule.kind != y.rule.kind { return x.rule.kind < y.rule.kind }
      if x.near != y.near { return x.near < y.near }
      if x.rule.isNarrower(than: y.rule) { return false }
      return y.rule.isNarrower(than: x.rule) || a.offset < b.offset
    }
    return rules.map(\.element.layer)
      + levels.flatMap { level in
        level.documents.map { RecipeLayer(.folder, "defaults \($0.path ?? "")", $0) }
      }
  }

  private func levels(_ folder: [UInt8]) throws(RecipeError) -> [Level] {
    try state.withLock { state throws(RecipeError) in
      if let known = state.chains[folder] { return try known.get() }
      let result = Result { () throws(RecipeError) in try Self.levels(folder, &state) }
      state.chains[folder] = result
      return try result.get()
    }
  }

  private static func levels(
    _ folder: [UInt8], _ state: inout State
  ) throws(RecipeError) -> [Level] {
    var levels: [Level] = []
    var next: [UInt8]? = DocumentFile.absolute(folder)
    while let folder = next {
      let found =
        state.folders[folder] ?? Result { () throws(RecipeError) in try level(folder, &state) }
      state.folders[folder] = found
      if let level = try found.get() {
        levels.append(level)
        if level.isRoot { break }
      }
      next = folder.folder
    }
    return levels.reversed()
  }

  private static func level(_ folder: [UInt8], _ state: inout State) throws(RecipeError) -> Level? {
    var own: RecipeDocument?
    for name in names {
      state.reads += 1
      let file = folder.joinedPath(Array(name.utf8))
      guard let document = try RecipeDocument.ifPresent(file) else { continue }
      if let other = own?.path {
        throw RecipeError(
          .cannotRead, "\(file.text) has defaults for the same folder; keep one of the two",
          path: other)
      }
      own = document
    }
    guard let own else { return nil }
    let documents = try RecipeChain.documents([own])
    var rules: [DefaultsRule] = []
    for document in documents { rules += try DefaultsRule.all(of: document) }
    let root = RecipePath(keys: "root")
    switch own.values["root"] {
    case nil, .null?, .bool(false)?: return Level(documents: documents, rules: rules, isRoot: false)
    case .bool(true)?: return Level(documents: documents, rules: rules, isRoot: true)
    case let value?:
      throw own.error(.badSetting, "root is \(value.brief); it takes true or false", at: root)
    }
  }
}
