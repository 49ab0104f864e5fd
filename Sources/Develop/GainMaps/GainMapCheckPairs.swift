import Formats
import Foundation
import Readers

/// The files that `rawdev gainmap check` compares: two files, or the files of two folders with
/// the same names except the extension, in any case.
public struct GainMapCheckPairs: Sendable {
  /// An original and its export.
  public struct Pair: Sendable, Hashable {
    /// Path of the original.
    public var original: String
    /// Path of the export.
    public var export: String
  }

  /// The pairs, by the name of the export.
  public let pairs: [Pair]
  /// Originals without an export.
  public let unexported: [String]
  /// Exports without an original.
  public let unknown: [String]

  /// Pairs of two files or of two folders. Subfolders are not searched. Throws where a path does
  /// not exist, where only one is a folder, and where two folders have no name in common.
  public init(originals: String, exports: String) throws(DevelopError) {
    let areFolders = [try Self.isFolder(originals), try Self.isFolder(exports)]
    guard areFolders[0] == areFolders[1] else {
      throw .read(
        ReadError(.badSetting, "give two files or two folders", path: exports))
    }
    guard areFolders[0] else {
      pairs = [Pair(original: originals, export: exports)]
      (unexported, unknown) = ([], [])
      return
    }
    let (old, new) = (try Self.pictures(in: originals), try Self.pictures(in: exports))
    let byStem = Dictionary(grouping: old, by: Self.stem)
    var pairs: [Pair] = []
    var (unknown, used): ([String], Set<String>) = ([], [])
    for export in new {
      // Of several originals the one of the same kind, otherwise the first.
      guard let candidates = byStem[Self.stem(export)],
        let original = candidates.first(where: { Self.kind($0) == Self.kind(export) })
          ?? candidates.first
      else {
        unknown.append(export)
        continue
      }
      used.insert(Self.stem(export))
      pairs.append(Pair(original: original, export: export))
    }
    guard !pairs.isEmpty else {
      throw .read(
        ReadError(
          .badSetting, "no picture has the name of one in \(originals); exports keep the names",
          path: exports))
    }
    (self.pairs, self.unknown) = (pairs, unknown)
    unexported = old.filter { !used.contains(Self.stem($0)) }
  }

  private static func isFolder(_ path: String) throws(DevelopError) -> Bool {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .read(ReadError(.cannotRead, "no such file; check the path", path: path))
    }
    return isFolder.boolValue
  }

  private static func stem(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent.lowercased()
  }

  private static func kind(_ path: String) -> String {
    URL(fileURLWithPath: path).pathExtension.lowercased()
  }

  /// The pictures in a folder by their extensions, sorted; not those whose names begin with a dot.
  private static func pictures(in folder: String) throws(DevelopError) -> [String] {
    let extensions = Set(
      EncoderSettings.Container.pictures.flatMap(\.descriptor.extensions))
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { !$0.hasPrefix(".") && extensions.contains(kind($0)) }.sorted()
        .map { URL(fileURLWithPath: folder).appendingPathComponent($0).relativePath }
    } catch {
      throw .read(
        ReadError(.cannotRead, "the folder cannot be read; check its permissions", path: folder))
    }
  }
}
