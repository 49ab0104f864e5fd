import Batch
import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage
import Tuning

/// What is to be developed.
struct DevelopRequest: Sendable {
  /// Pictures that are developed in one batch.
  struct Part: Sendable {
    var ids: [PictureID]
    /// Values over all documents; nil for the documents alone.
    var values: RecipeValue?
    /// Whether sidecars count.
    var usesSidecars = true
  }

  /// The pictures.
  var ids: [PictureID]
  /// The values of edits that are in no sidecar yet; other pictures use their documents.
  var edits: [PictureID: [String: RecipeValue]] = [:]
  /// The output of each.
  var output: Recipe.Output
  /// The name of the output folder, inside the folder of the raws.
  var folder: String
  /// That which the page proposes, and which is meant where none is named.
  static let usualFolder = "developed"
  /// Whether files that were not developed here are replaced.
  var overwrites: Bool

  /// The output that `options` describe. Throws for one that is not known or outside its range.
  static func output(
    format: String, options: [String: RecipeValue]
  ) throws -> Recipe.Output {
    guard let format = OutputFormat(name: format) else {
      throw RequestRefusal.badRequest(
        "there is no format \(format); formats: "
          + OutputFormat.allCases.map(\.rawValue).joined(separator: ", "))
    }
    var options = options
    guard options["iccProfile"] == nil else {
      throw RequestRefusal.badRequest("iccProfile is a path; set it in a recipe")
    }
    options["format"] = .text(format.rawValue)
    let outputs: RecipeValue = .map([Recipe.onlyOutput: .map(options)])
    let layered = LayeredRecipe([
      RecipeLayer(.commandLine, "options", values: .map(["outputs": outputs]))
    ])
    if let problem = layered.problems.first { throw RequestRefusal.badRequest(problem.message) }
    let output = try Recipe(layered).outputs[Recipe.onlyOutput] ?? Recipe.Output()
    try output.validate()
    return output
  }

  /// The folder that `options` name, as a name and nothing else.
  static func folder(_ value: RecipeValue?) throws(RequestRefusal) -> String {
    guard let value, value != .null else { return usualFolder }
    guard case .text(let name) = value, !name.isEmpty, name.utf8.count <= 200,
      !name.hasPrefix("."), !name.contains("/"), !name.contains("\0")
    else {
      throw .badRequest("folder takes the name of a folder, without slashes or a leading dot")
    }
    return name
  }

  /// The values over `document` of the raw `id`, so that it is developed as if its sidecar gave
  /// `own` and no other values.
  static func part(
    of id: PictureID, _ document: TuningDocument, own: [String: RecipeValue]
  ) throws -> Part {
    _ = try document.settings(own)
    let state = try document.state()
    guard state.problem == nil else {
      return Part(ids: [id], values: ["raw": .map(own)], usesSidecars: false)
    }
    let inherited = Dictionary(
      state.inherited.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    var values = own
    let whites = LayeredRecipe.whiteKeys
    for name in state.own.keys where values[name] == nil && !whites.contains(name) {
      values[name] = inherited["raw.\(name)"]?.value ?? .null
    }
    // Ways to set the white exclude each other: a layer that gives one overrides all.
    if own.keys.allSatisfy({ !whites.contains($0) }),
      state.own.keys.contains(where: whites.contains)
    {
      let given = whites.filter { name in
        inherited["raw.\(name)"].map { $0.layer != .engine } ?? false
      }
      for name in given { values[name] = inherited["raw.\(name)"]?.value }
      if given.isEmpty { values["neutralTemperature"] = .null }
    }
    return Part(ids: [id], values: ["raw": .map(values)])
  }
}
