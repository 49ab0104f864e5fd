import Develop
import Foundation
import HDRRender
import ImageCore
import RawFilter
import Recipes

extension RecipeOptions {
  /// Plans by these recipes with the options of the development `raw`, and of the output where any
  /// is given or `file` is its name.
  func planner(
    raw: RAWOptions, output: OutputOptions, file: String?, metadata: HDRMetadata,
    embedsRecipe: Bool
  ) throws -> RecipePlanner {
    let isOwnOutput = output.isGiven || file != nil || metadata != HDRMetadata()
    let chosen = isOwnOutput ? output.chosen(output: file, metadata: metadata) : nil
    // Errors that do not depend on the input are reported before any work.
    _ = try chosen?([:])
    return RecipePlanner(
      try resolver(raw: raw.values),
      outputs: { outputs in
        try (chosen?(outputs) ?? outputs).mapValues { output in
          var output = output
          output.embedsRecipe = output.embedsRecipe || embedsRecipe
          return output
        }
      },
      workingFolder: ArgumentPath.workingFolder)
  }
}

extension RecipePlanner {
  /// The plan for the raw `source` with these properties; prints its warnings and notes.
  func planned(
    _ source: RawSource, named input: String, _ info: SourceInfo
  ) throws -> RecipePlanner.Plan {
    let plan: RecipePlanner.Plan
    do {
      plan = try self.plan(source, info)
    } catch let error as RecipeError { throw DevelopError.recipe(error) }
    Terminal.notes(
      plan.resolved.warnings + plan.resolved.notes, advising: plan.resolved.remedies,
      about: input)
    return plan
  }
}

extension ResultOptions {
  /// The report of a dry run on an output.
  private struct Planned: Encodable {
    var input, output, name, format, coding: String
    /// Recipes, sidecars and options that set a value, weakest first.
    var recipe: [String]
  }

  /// Prints what `plan` would make of `input`, at these paths by the output's name.
  func show(
    _ plan: RecipePlanner.Plan, _ targets: [String: String], of input: String
  ) throws {
    let recipe = plan.resolved.layered.sources
    for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
      guard let output = plan.recipe.outputs[name] else { continue }
      let planned = Planned(
        input: input, output: target, name: name, format: output.format.rawValue,
        coding: output.coding, recipe: recipe)
      try show(
        planned, writing: "",
        "\(input) -> \(target): \(planned.format) (\(planned.coding)), from "
          + (recipe.isEmpty ? "the defaults" : recipe.joined(separator: ", ")))
    }
  }
}
