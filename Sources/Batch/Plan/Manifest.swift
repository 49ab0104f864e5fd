public import Develop
public import Foundation
import ImageCore
public import Recipes
public import SystemPackage

/// One line of a manifest: a raw to develop.
public struct ManifestEntry: Sendable, Hashable, Codable {
  /// Identifier in reports, unique in the manifest; the relative path where absent.
  public var id: String?
  /// Path of the raw, relative to the manifest's folder; a `file:` address for names that are not
  /// UTF-8.
  public var `in`: String
  /// A recipe for this raw only.
  public var recipe: SourceRecipe?
  /// Path of its outputs below the output folder, without extension.
  public var out: String?
  /// Path below the folder whose tree outputs mirror; the path below the manifest's folder where
  /// absent.
  public var place: String?

  /// An entry for the raw at `source`.
  public init(id: String? = nil, in source: String) { (self.id, `in`) = (id, source) }

  /// An entry for `source` that is valid in a manifest in any folder.
  init(_ source: RawSource) {
    (id, `in`, place) = (source.id, source.path.text, source.relativePath.text)
    (recipe, out) = (source.recipe, source.output)
  }
}

/// A list of raws as JSON lines.
public enum Manifest {
  /// The raws that the manifest at `path` lists, in its order. Throws
  /// ``BatchError/Code/cannotRead``, or ``BatchError/Code/badManifest`` with the line number.
  public static func sources(at path: FilePath, workingFolder: FilePath) throws(BatchError)
    -> [RawSource]
  {
    let absolute = workingFolder.pushing(path).lexicallyNormalized()
    guard let data = ReadablePath.contents(of: absolute) else {
      throw BatchError(.cannotRead, "cannot read the manifest", path: path)
    }
    return try sources(in: data, folder: absolute.removingLastComponent(), name: path)
  }

  static func sources(in data: Data, folder: FilePath, name: FilePath) throws(BatchError)
    -> [RawSource]
  {
    var found: [RawSource] = []
    var ids: Set<String> = []
    for (number, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ [9, 13, 32].contains($0) }) { continue }
      func refuse(_ what: String) -> BatchError {
        BatchError(.badManifest, "line \(number + 1): \(what)", path: name)
      }
      let entry: ManifestEntry
      do {
        // As many as a recipe in a file.
        entry = try JSONLine.decode(
          ManifestEntry.self, line, maxValues: DecodeLimits.standard.maxItems)
      } catch {
        if let excess = (error as? DecodingError)?.excess { throw refuse("\(excess)") }
        throw refuse("no entry; a line is {\"id\": …, \"in\": PATH} with recipe and out as needed")
      }
      let given = FilePath(text: entry.in)
      let relative = entry.place.map { FilePath(text: $0) }
      guard !given.isTooLong, !(relative?.isTooLong ?? false) else {
        throw refuse("a path is longer than \(FilePath.maxLength) bytes; give a shorter one")
      }
      let path = folder.pushing(given).lexicallyNormalized()
      guard !entry.in.isEmpty, let last = path.lastComponent else {
        throw refuse("\"in\" names no file")
      }
      let relativePath = relative?.lexicallyNormalized()
      if let relativePath, !relativePath.isEmpty, !OutputPlan.isBelowFolder(relativePath) {
        throw refuse("\"place\" is not a relative path below a folder")
      }
      var source = RawSource(
        path: path,
        relativePath: relativePath ?? path.relative(to: folder) ?? FilePath(root: nil, [last]),
        id: entry.id)
      (source.recipe, source.output) = (entry.recipe, entry.out)
      guard ids.insert(source.id).inserted else {
        throw refuse("duplicate id \(source.id); make it unique")
      }
      found.append(source)
    }
    SourceList.markSharedNames(&found)
    return found
  }

  /// A manifest of `sources` for `folder`: paths below it are relative.
  public static func lines(_ sources: [RawSource], relativeTo folder: FilePath) throws -> Data {
    var data = Data()
    for source in sources {
      let path = source.path.relative(to: folder) ?? source.path
      var entry = ManifestEntry(id: source.id, in: path.text)
      if path != source.relativePath { entry.place = source.relativePath.text }
      (entry.recipe, entry.out) = (source.recipe, source.output)
      data += try JSONLine.encode(entry)
    }
    return data
  }
}
