import Develop
import Recipes
import SystemPackage

/// All documents that bear on a raw, as they are on disk at one moment: the weaker layers and the
/// sidecar.
struct DocumentReading {
  let sidecar: OwnSidecar
  /// All layers, weakest first.
  private(set) var layers: [RecipeLayer] = []
  /// The same without the properties that the sidecar gives itself.
  private(set) var base: [RecipeLayer] = []
  /// The properties that the sidecar gives itself; none where it cannot be used.
  private(set) var own: [String: RecipeValue] = [:]
  /// Why something of it cannot be used.
  private(set) var problem: RecipeError?
  private(set) var notes: [String] = []

  /// Reads the documents for `picture`, which is in the folder `root`; of the weaker layers those
  /// `applied`.
  init(_ picture: RecipeResolver.Picture, below root: FilePath, _ applied: AppliedDocuments) {
    sidecar = OwnSidecar(of: FilePath(bytes: picture.path), below: root)
    problem = sidecar.problem
    var warnings: [RecipeProblem] = []
    readWeaker(picture, applied)
    layers = base
    if let document = sidecar.document, sidecar.problem == nil || !document.migrated.isEmpty {
      do throws(RecipeError) {
        let chain = try RecipeChain.documents([document]).map {
          RecipeLayer(.sidecar, "sidecar \($0.path ?? "")", $0)
        }
        _ = try Recipe(LayeredRecipe(base + chain))
        layers += chain
        own = sidecar.own
        base += chain.dropLast() + chain.suffix(1).map(\.withoutProperties)
      } catch {
        problem = problem ?? error
      }
    }
    warnings += layers.flatMap(\.warnings)
    warnings += LayeredRecipe(layers).problems.filter { $0.severity == .warning }
    notes += warnings.map(\.description)
  }

  /// Reads the layers below the sidecar. An unusable layer is skipped, so that the picture is
  /// displayed together with the error.
  private mutating func readWeaker(
    _ picture: RecipeResolver.Picture, _ applied: AppliedDocuments
  ) {
    for (defaults, xmp) in [(true, true), (true, false), (false, true), (false, false)] {
      var wanted = applied
      (wanted.usesDefaults, wanted.usesXMP) =
        (defaults && applied.usesDefaults, xmp && applied.usesXMP)
      do throws(RecipeError) {
        let found = try wanted.resolver(usesSidecars: false).layers(of: picture)
        _ = try Recipe(LayeredRecipe(found.layers))
        base = found.layers
        notes = found.notes + found.sidecars.warnings
        return
      } catch {
        problem = problem ?? error
      }
    }
  }
}

extension RecipeLayer {
  /// The layer without the properties that it gives; `raw: null`, which resets them, stays.
  fileprivate var withoutProperties: RecipeLayer {
    guard case .map(var raw)? = values["raw"] else { return self }
    for name in RecipeDocument.propertyNames { raw[name] = nil }
    var layer = self
    layer.values["raw"] = raw.isEmpty ? nil : .map(raw)
    return layer
  }
}
