public import Foundation
public import Recipes
public import SystemPackage

/// One line of a manifest.
public struct ManifestEntry: Sendable, Hashable, Codable {
  /// A recipe by name or path, or its values.
  public enum Recipe: Sendable, Hashable, Codable {
    /// Name of a bundled recipe, or path.
    case named(String)
    /// Values of a recipe.
    case values(RecipeValue)

    /// Reads a text or an object.
    public init(from decoder: any Decoder) throws {
      let value = try RecipeValue(from: decoder)
      switch value {
      case .text(let name): self = .named(name)
      case .map: self = .values(value)
      default:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "a recipe is a name, a path or an object"))
      }
    }

    /// Writes the same.
    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .named(let name): try RecipeValue.text(name).encode(to: encoder)
      case .values(let value): try value.encode(to: encoder)
      }
    }
  }

  /// What reports call the source; the path where it is absent.
  public var id: String?
  /// The source: a path, relative to the manifest's folder, or a `file:` address for names that are not
  /// UTF-8.
  public var `in`: String
  /// A recipe for this source alone.
  public var recipe: Recipe?
  /// Place and name of its outputs below the output folder, without extension.
  public var out: String?
  /// Its place below the folder whose tree outputs mirror; where absent, its path below the manifest's folder.
  public var place: String?

  /// An entry for `source`.
  public init(id: String? = nil, in source: String) { (self.id, `in`) = (id, source) }
}

/// A list of sources as JSON lines.
public enum Manifest {
  /// The sources that the manifest at `path` lists, in its order. Throws ``BatchError/Code/badManifest``
  /// with the line.
  public static func sources(at path: FilePath, workingFolder: FilePath) throws(BatchError)
    -> [BatchSource]
  {
    let absolute = workingFolder.pushing(path).lexicallyNormalized()
    guard let data = ReadablePath.contents(of: absolute) else {
      throw BatchError(.cannotRead, "cannot read the manifest", path: path)
    }
    return try sources(in: data, folder: absolute.removingLastComponent(), name: path)
  }

  static func sources(in data: Data, folder: FilePath, name: FilePath) throws(BatchError)
    -> [BatchSource]
  {
    var found: [BatchSource] = []
    var ids: Set<String> = []
    for (number, line) in data.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ [9, 13, 32].contains($0) }) { continue }
      func refuse(_ what: String) -> BatchError {
        BatchError(.badManifest, "line \(number + 1): \(what)", path: name)
      }
      let entry: ManifestEntry
      do { entry = try JSONDecoder().decode(ManifestEntry.self, from: line) } catch {
        throw refuse("no entry; a line is {\"id\": …, \"in\": PATH} with recipe and out as needed")
      }
      let path = folder.pushing(FilePath(text: entry.in)).lexicallyNormalized()
      guard !entry.in.isEmpty, let last = path.lastComponent else {
        throw refuse("\"in\" names no file")
      }
      let relativePath = entry.place.map { FilePath(text: $0).lexicallyNormalized() }
      if let relativePath,
        !relativePath.isRelative || relativePath.components.contains(where: { $0.kind != .regular })
      {
        throw refuse("\"place\" is no path below a folder")
      }
      var source = BatchSource(
        path: path,
        relativePath: relativePath ?? path.relative(to: folder) ?? FilePath(root: nil, [last]),
        id: entry.id)
      (source.recipe, source.output) = (entry.recipe, entry.out)
      guard ids.insert(source.id).inserted else {
        throw refuse("the id \(source.id) is there twice; make it unique")
      }
      found.append(source)
    }
    SourceList.markSharedNames(&found)
    return found
  }

  /// A manifest of `sources`, with paths relative to `folder` where they lie below it.
  public static func lines(_ sources: [BatchSource], relativeTo folder: FilePath) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var data = Data()
    for source in sources {
      let path = source.path.relative(to: folder) ?? source.path
      var entry = ManifestEntry(id: source.id, in: path.text)
      if path != source.relativePath { entry.place = source.relativePath.text }
      (entry.recipe, entry.out) = (source.recipe, source.output)
      data += try encoder.encode(entry) + [10]
    }
    return data
  }
}
