import Containers
import Foundation

/// The names in one folder, read once, so that thousands of raws find their sidecars without calls
/// of the file system.
public struct FolderListing: Sendable {
  /// Names by their bytes in lower case.
  private let byName: [[UInt8]: [[UInt8]]]
  /// Names of raws by their stem.
  private let rawsByStem: [[UInt8]: [[UInt8]]]
  /// darktable's duplicates by the name of the original sidecar in lower case.
  private let duplicates: [[UInt8]: [[UInt8]]]

  /// A listing of these names, in any order.
  public init(names: [[UInt8]]) {
    var byName: [[UInt8]: [[UInt8]]] = [:]
    var raws: [[UInt8]: [[UInt8]]] = [:]
    var duplicates: [[UInt8]: [[UInt8]]] = [:]
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      byName[RawNames.lowered(name), default: []].append(name)
      guard let (stem, ending) = RawNames.split(name) else { continue }
      if RawExtensions.all.contains(ending) {
        raws[stem, default: []].append(name)
      } else if ending == "xmp", let original = Self.original(ofDuplicate: stem) {
        duplicates[original, default: []].append(name)
      }
    }
    // photo_01.CR2.xmp belongs to photo_01.CR2 if that exists.
    for (original, names) in duplicates {
      duplicates[original] = names.filter { byName[RawNames.lowered($0.dropLast(4))] == nil }
    }
    self.byName = byName
    rawsByStem = raws
    self.duplicates = duplicates
  }

  /// Reads the folder at `path`; an empty path is the current one.
  public init(folder path: [UInt8]) throws(RecipeError) {
    try self.init(folder: path, startingWith: [])
  }

  /// Reads those names in the folder at `path` that start with `stem`.
  init(folder path: [UInt8], startingWith stem: [UInt8]) throws(RecipeError) {
    self.init(names: try Self.names(in: path, startingWith: stem))
  }

  /// For photo_01.CR2, photo.cr2.xmp.
  private static func original(ofDuplicate name: [UInt8]) -> [UInt8]? {
    guard let (stem, ending) = RawNames.split(name),
      let line = stem.lastIndex(of: UInt8(ascii: "_")), line > 0, stem.count - line > 2,
      stem[(line + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return RawNames.lowered(Array(stem[..<line]) + Array(".\(ending).xmp".utf8))
  }

  /// The files whose name is `stem` exactly and `ending` in any case; of several, those in which
  /// the first `exact` bytes of `ending` have the given case, if there are any. Excludes files that
  /// belong to another file here whose name differs from `stem` with these bytes only by case.
  func files(_ stem: [UInt8], _ ending: [UInt8], exact: Int = 0) -> [[UInt8]] {
    let found = (byName[RawNames.lowered(stem + ending)] ?? []).filter { $0.starts(with: stem) }
    let own = stem + ending.prefix(exact)
    let same = found.filter { $0.starts(with: own) }
    guard same.isEmpty, exact > 0 else { return same.isEmpty ? found : same }
    return found.filter { name in
      let other = Array(name.prefix(own.count))
      return byName[RawNames.lowered(other)]?.contains(other) != true
    }
  }

  /// The names whose extension in lower case is one of `endings`, in order.
  public func names(endingIn endings: Set<String>) -> [[UInt8]] {
    byName.values.joined().filter { RawNames.split($0).map { endings.contains($0.1) } ?? false }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The raws with this stem.
  func raws(_ stem: [UInt8]) -> [[UInt8]] { rawsByStem[stem] ?? [] }

  /// darktable's sidecars for further versions of the raw whose sidecar is `sidecar`.
  func duplicates(of sidecar: [UInt8]) -> [[UInt8]] {
    duplicates[RawNames.lowered(sidecar)] ?? []
  }

  private static func names(
    in path: [UInt8], startingWith stem: [UInt8]
  ) throws(RecipeError) -> [[UInt8]] {
    let shown = RawNames.shown(path)
    let name: [UInt8] = path.isEmpty ? [0x2E] : path
    guard !path.contains(0),
      let folder = unsafe opendir(name.map(CChar.init(truncatingIfNeeded:)) + [0])
    else {
      let reason =
        path.contains(0) ? "its name holds a zero byte" : unsafe String(cString: strerror(errno))
      throw RecipeError(.cannotRead, "the folder cannot be read: \(reason)", path: shown)
    }
    defer { unsafe closedir(folder) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      // Other names are not copied: a folder has thousands.
      let found = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe bytes.starts(with: stem) ? Array(bytes.prefix { $0 != 0 }) : nil
      }
      guard let name = found else { continue }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    guard errno == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw RecipeError(.cannotRead, "the folder cannot be read: \(reason)", path: shown)
    }
    return names
  }
}
