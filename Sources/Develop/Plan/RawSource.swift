import Containers
public import Recipes
public import SystemPackage

/// A raw to develop, with the inputs for the names of its outputs.
public struct RawSource: Sendable, Hashable {
  /// Absolute path of the raw.
  public var path: FilePath
  /// Path relative to the folder whose structure the outputs mirror; only the name for a raw that
  /// was named itself.
  public var relativePath: FilePath
  /// Whether another raw in the same folder has the same name except the extension, so that names
  /// of outputs need the extension to differ.
  public var isNameShared = false
  /// Whether an earlier source has the same relative path, and with it the same outputs.
  public var isDuplicate = false
  /// The identifier in reports; unique within a batch.
  public var id: String
  /// A recipe for this raw only, which overrides named recipes and is overridden by the raw's
  /// sidecar.
  public var recipe: SourceRecipe?
  /// Path of its outputs below the output folder, without extension; nil for the recipe's name
  /// template.
  public var output: String?

  /// All frames of a bracket, with ``path`` as the reference; empty for a raw that is developed
  /// alone.
  public var frames: [FilePath] = []

  /// File name extensions of camera raws and DNGs, in lower case.
  public static let extensions = RawExtensions.all

  /// Whether this name has the extension of a raw, in any case.
  public static func isRaw(_ name: FilePath.Component) -> Bool {
    name.extension.map { extensions.contains($0.lowercased()) } ?? false
  }

  /// The raw at `path`; `id` is the relative path where it is not given.
  public init(path: FilePath, relativePath: FilePath, id: String? = nil) {
    (self.path, self.relativePath) = (path, relativePath)
    self.id = id ?? relativePath.text
  }
}
