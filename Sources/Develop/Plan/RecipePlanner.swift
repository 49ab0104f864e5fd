import Foundation
public import RawFilter
public import Recipes
public import SystemPackage

/// Plans the development of raws: finds the recipe of each and names its outputs. Not thread-safe.
public final class RecipePlanner {
  /// Replaces the outputs of a recipe, by name.
  public typealias OutputChoice =
    @Sendable ([String: Recipe.Output]) throws -> [String: Recipe.Output]

  private let resolver: RecipeResolver
  private let choice: OutputChoice?
  /// The folder that relative paths of recipes start from.
  package let workingFolder: FilePath

  /// A planner with the recipes of `resolver`; `outputs` replaces the outputs of each.
  public init(
    _ resolver: RecipeResolver, outputs: OutputChoice? = nil, workingFolder: FilePath
  ) {
    (self.resolver, choice, self.workingFolder) = (resolver, outputs, workingFolder)
  }

  /// Recipes and sidecars are read again for the next plan.
  public func forget() { resolver.forget() }

  /// The recipe and the outputs of a raw.
  public struct Plan: Sendable {
    /// The resolved recipe with the origin of each value, sidecars and warnings.
    public var resolved: RecipeResolver.Resolved
    /// The recipe to develop by: the resolved one with its outputs replaced.
    public var recipe: Recipe
    /// Path of each output below the output folder, by the output's name.
    public var outputs: [String: FilePath]
  }

  /// The plan for the opened raw `source`. Throws `RecipeError` where recipes or sidecars,
  /// ``PlanError`` where names cannot be used.
  public func plan(_ source: RawSource, _ filter: RAWFilter) throws -> Plan {
    try plan(source, SourceInfo(filter, xxh128: ""))
  }

  /// The plan for a raw with these properties, without opening it.
  package func plan(_ source: RawSource, _ info: SourceInfo) throws -> Plan {
    var resolved = try resolver.resolve(try picture(source, info))
    var recipe = resolved.recipe
    if let choice { recipe.outputs = try choice(recipe.outputs) }
    try recipe.validate()
    if !source.frames.isEmpty, recipe.outputs.values.contains(where: { !$0.format.isDeveloped }) {
      throw PlanError(
        .badSetting,
        "this DNG needs one raw, not a merged bracket; write another format, or do not merge")
    }
    if let note = recipe.unusedProperties(resolved) { resolved.notes.append(note) }
    return Plan(
      resolved: resolved, recipe: recipe, outputs: try names(recipe, source, info))
  }

  private func picture(
    _ source: RawSource, _ info: SourceInfo
  ) throws(RecipeError) -> RecipeResolver.Picture {
    var picture = RecipeResolver.Picture(
      path: source.path.bytes, info: info.picture, raw: info.raw,
      embedded: info.xmp)
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

  /// The path of each output below the output folder.
  private func names(
    _ recipe: Recipe, _ source: RawSource, _ info: SourceInfo
  ) throws -> [String: FilePath] {
    // A path from a manifest is for all outputs; otherwise those with a template of their own do
    // not collide.
    let kinds = Dictionary(
      recipe.outputs.values.filter { source.output != nil || $0.name == nil }
        .map { ($0.format.pathExtension, 1) }, uniquingKeysWith: +)
    let folder = source.relativePath.removingLastComponent()
    let name = source.path.lastComponent
    // Raws of the same name keep their extension, so that their outputs do not collide.
    var stem = source.isNameShared ? name?.bytes ?? [] : source.path.stemBytes
    // The reference itself may be developed, too.
    if !source.frames.isEmpty { stem += Array("-merged".utf8) }
    var paths: [String: FilePath] = [:]
    for (key, output) in recipe.outputs {
      let isAlone = kinds[output.format.pathExtension, default: 0] < 2
      let template = try NameTemplate(output.name ?? (isAlone ? "{stem}" : "{stem}-{output}"))
      let bytes = template.path(
        NameInfo(
          stem: stem, ext: name?.extension.map { Array($0.utf8) } ?? [], folder: folder.bytes,
          output: key,
          format: output.format.rawValue, picture: info.picture))
      var path = source.output.map { FilePath($0) } ?? FilePath(bytes: bytes)
      guard !path.isTooLong else {
        throw PlanError(
          .badSetting,
          "the path of output \(key) is longer than \(FilePath.maxLength) bytes; give a shorter "
            + "one")
      }
      if source.output != nil {
        path = path.lexicallyNormalized()
        if !isAlone, let last = path.lastComponent {
          path = path.removingLastComponent().appending("\(last.string)-\(key)")
        }
      } else if !template.tokens.contains(.folder) {
        path = folder.pushing(path)
      }
      guard path.isRelative, !path.components.contains(where: { $0.kind == .parentDirectory }),
        let last = path.lastComponent
      else {
        throw PlanError(
          .badSetting, "\(path.shown) leaves the output folder; give a path below it")
      }
      let file = last.bytes + Array(".\(output.format.pathExtension)".utf8)
      guard file.count <= Int(NAME_MAX) else {
        throw PlanError(
          .badSetting,
          "\(path.shown) is too long for a file name; give a shorter one by a template or a "
            + "manifest"
        )
      }
      paths[key] = path.removingLastComponent().pushing(FilePath(bytes: file))
    }
    try Self.check(paths)
    return paths
  }

  /// Throws where two outputs have the same path.
  private static func check(_ paths: [String: FilePath]) throws(PlanError) {
    for (path, same) in Dictionary(grouping: paths.keys, by: { paths[$0] }) where same.count > 1 {
      throw PlanError(
        .sameOutput,
        "outputs \(same.sorted().joined(separator: " and ")) would both be \(path?.shown ?? ""); "
          + "use {output} in their names")
    }
  }
}
