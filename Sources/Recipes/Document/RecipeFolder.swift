import Foundation

/// A folder with recipes that are used by name: `NAME.yaml`, `NAME.yml` or `NAME.json`.
public struct RecipeFolder: Sendable, Hashable {
  /// Its path; names need not be UTF-8.
  public let path: [UInt8]

  /// The folder at `path`, which need not exist.
  public init(path: [UInt8]) { self.path = path }

  /// The folder of the user who runs the program: `rawdev/recipes` in `$XDG_CONFIG_HOME` or
  /// `~/.config`; nil where neither is known.
  public static var ofUser: RecipeFolder? {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return (folder("XDG_CONFIG_HOME") ?? folder("HOME").map { $0 + "/.config" }).map {
      RecipeFolder(path: Array("\($0)/rawdev/recipes".utf8))
    }
  }

  /// Endings of the names of recipes.
  package static let endings = [".yaml", ".yml", ".json"]

  /// The recipe `name`; nil where there is none.
  func document(named name: String) throws(RecipeError) -> RecipeDocument? {
    for ending in Self.endings {
      let file = path.joinedPath(Array((name + ending).utf8))
      if let document = try RecipeDocument.ifPresent(file) { return document }
    }
    return nil
  }

  /// Names of its recipes, in alphabetical order.
  public var names: [String] { files.map(\.name) }

  /// Its recipes, in the order of their names, with the names of their files.
  package var files: [(name: String, file: String)] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: path.text)) ?? []
    return all.sorted().compactMap { file in
      guard !file.hasPrefix("."),
        let ending = Self.endings.first(where: file.lowercased().hasSuffix)
      else { return nil }
      return (String(file.dropLast(ending.count)), file)
    }
  }
}
