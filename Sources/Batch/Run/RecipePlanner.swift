import Foundation
public import RawFilter
public import Recipes
public import SystemPackage

/// Plans each source by its recipe: the layers that hold for it, and the names that its outputs get.
public final class RecipePlanner: SourcePlanner {
  private let resolver: RecipeResolver
  /// Makes other outputs of those that recipes have.
  public typealias OutputChoice =
    @Sendable ([String: Recipe.Output]) throws -> [String: Recipe.Output]

  private let choice: OutputChoice?
  private let workingFolder: FilePath
  private var forms: [Recipe: String] = [:]

  /// A planner by `resolver`; `outputs` may change the outputs of all recipes.
  public init(
    _ resolver: RecipeResolver, outputs: OutputChoice? = nil, workingFolder: FilePath
  ) {
    (self.resolver, choice, self.workingFolder) = (resolver, outputs, workingFolder)
  }

  /// Reads recipes and sidecars anew from now on.
  public func forget() {
    resolver.forget()
    forms = [:]
  }

  /// What is to be made of one opened raw.
  public struct Plan: Sendable {
    /// The recipe, with all that was found on the way to it.
    public var resolved: RecipeResolver.Resolved
    /// The recipe to develop by.
    public var recipe: Recipe
    /// The path of each output below the output folder.
    public var outputs: [String: FilePath]
  }

  /// The plan for the opened raw `source`. Throws where recipes, sidecars or names cannot be used.
  public func plan(_ source: BatchSource, _ filter: RAWFilter) throws -> Plan {
    try plan(of: source, SourceFacts(filter, sha256: ""))
  }

  func plan(_ source: BatchSource, _ facts: SourceFacts) throws -> SourcePlan {
    let plan = try plan(of: source, facts)
    return SourcePlan(
      recipe: plan.recipe, canonical: try canonical(plan.recipe),
      outputs: OutputPlan(plan.outputs), notes: plan.resolved.notes,
      warnings: plan.resolved.warnings)
  }

  private func plan(of source: BatchSource, _ facts: SourceFacts) throws -> Plan {
    let resolved = try resolver.resolve(try picture(source, facts))
    var recipe = resolved.recipe
    if let choice { recipe.outputs = try choice(recipe.outputs) }
    try recipe.validate()
    return Plan(
      resolved: resolved, recipe: recipe, outputs: try names(recipe, source, facts))
  }

  private func picture(
    _ source: BatchSource, _ facts: SourceFacts
  ) throws(RecipeError) -> RecipeResolver.Picture {
    var picture = RecipeResolver.Picture(
      path: source.path.bytes, facts: facts.picture, raw: facts.raw,
      embedded: facts.xmp)
    switch source.recipe {
    case .named(let name):
      let document = try RecipeChain.document(named: name, from: workingFolder.bytes)
      picture.layers = try RecipeLayer.recipes([document])
    case .values(let values):
      picture.layers = [RecipeLayer(.recipe, "entry \(source.id)", values: values)]
    case nil: break
    }
    return picture
  }

  /// The recipe as text that is the same for equal recipes, with the camera profile that it names.
  private func canonical(_ recipe: Recipe) throws -> String {
    if let known = forms[recipe] { return known }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var text = String(decoding: try encoder.encode(recipe), as: UTF8.self)
    if let profile = recipe.raw.profilePath {
      text += try Digest.of(file: workingFolder.pushing(FilePath(profile)))
    }
    if forms.count >= 256 { forms = [:] }
    forms[recipe] = text
    return text
  }

  /// The path of each output below the output folder.
  private func names(
    _ recipe: Recipe, _ source: BatchSource, _ facts: SourceFacts
  ) throws -> [String: FilePath] {
    // A place from a manifest is one for all outputs; else those with a template of their own stand apart.
    let kinds = recipe.outputs.values.filter { source.output != nil || $0.name == nil }
      .map(\.format.pathExtension)
    let folder = source.relativePath.removingLastComponent()
    let name = source.path.lastComponent
    // Two raws of one name keep their extensions, so that neither takes the other's place.
    let stem = source.isNameShared ? name?.bytes ?? [] : source.path.stemBytes
    var paths: [String: FilePath] = [:]
    for (key, output) in recipe.outputs {
      let isAlone = kinds.count { $0 == output.format.pathExtension } < 2
      let template = try NameTemplate(output.name ?? (isAlone ? "{stem}" : "{stem}-{output}"))
      let bytes = template.path(
        NameFacts(
          stem: stem, ext: name?.extension.map { Array($0.utf8) } ?? [], folder: folder.bytes,
          output: key,
          format: output.format.rawValue, picture: facts.picture))
      var path = FilePath(bytes: bytes)
      if let given = source.output {
        path = FilePath(given).lexicallyNormalized()
        if !isAlone, let last = path.lastComponent {
          path = path.removingLastComponent().appending("\(last.string)-\(key)")
        }
      } else if !template.tokens.contains(.folder) {
        path = folder.pushing(path)
      }
      guard path.isRelative, !path.components.contains(where: { $0.kind == .parentDirectory }),
        let last = path.lastComponent
      else {
        throw BatchError(
          .badSetting, "\(path.shown) leaves the output folder; give a path below it")
      }
      let file = last.bytes + Array(".\(output.format.pathExtension)".utf8)
      guard file.count <= Int(NAME_MAX) else {
        throw BatchError(
          .badSetting,
          "\(path.shown) is longer than names may be; give a shorter one by a template or a manifest"
        )
      }
      paths[key] = path.removingLastComponent().pushing(FilePath(bytes: file))
    }
    try Self.check(paths)
    return paths
  }

  /// Outputs of one raw need places of their own.
  private static func check(_ paths: [String: FilePath]) throws(BatchError) {
    for (path, same) in Dictionary(grouping: paths.keys, by: { paths[$0] }) where same.count > 1 {
      throw BatchError(
        .sameOutput,
        "outputs \(same.sorted().joined(separator: " and ")) would both be \(path?.shown ?? ""); "
          + "use {output} in their names")
    }
  }
}

extension SourceFacts {
  /// As rules and names ask.
  var picture: PictureFacts {
    PictureFacts(
      make: make, model: model, lens: lens, iso: iso.map(Double.init), captureDate: date)
  }

  /// As sidecars of other programs ask.
  var raw: RawFacts {
    RawFacts(
      orientation: orientation, storedAspect: aspect, profileNames: Set(profiles),
      hasLensCorrections: hasLensCorrections)
  }
}

extension FilePath {
  /// The last name without its extension.
  var stemBytes: [UInt8] {
    guard let name = lastComponent?.bytes else { return [] }
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return name }
    return Array(name[..<point])
  }
}
