import ImageCore
package import RawFilter
package import Recipes

/// Digests of the pixels after each stage of developing one raw: the result of `rawdev bench
/// --digests`, which locates where two versions of the program differ
/// (`DevelopPlan.stageDigests()`).
package struct DigestReport: Sendable, Codable {
  /// One stage.
  package struct Stage: Sendable, Codable {
    /// Its name, as in the rows of ``BenchReport``.
    package var name: String
    /// 16 hexadecimal digits.
    package var xxh64: String
  }

  /// The file.
  package var file: String
  /// Columns and rows of the native picture.
  package var size: [Int]
  /// The stages that are not left out, in the order of the pipeline.
  package var stages: [Stage]

  /// Renders the raw at `path` by `developer` for the first output of its recipe, which `recipe`
  /// resolves for the opened raw.
  package init(
    path: String, developer: Developer, recipe: (RAWFilter) throws -> Recipe
  ) throws(DevelopError) {
    do {
      let opened = try Developer.open(path)
      var developer = developer
      developer.recipe = try recipe(opened)
      try developer.recipe.validate()
      try developer.recipe.validateScene()
      let output = developer.recipe.output
      var filter = try developer.prepared(opened, for: output)
      if let limit = developer.recipe.headroomLimit(for: output) {
        try filter.limitHeadroom(to: limit)
      }
      file = path
      size = [filter.nativeSize.width, filter.nativeSize.height]
      stages = try filter.plan().stageDigests().map { Stage(name: $0.stage, xxh64: $0.xxh64) }
    } catch {
      throw DevelopError(error, path: path)
    }
  }

  /// The report as a table for people.
  package var table: String {
    let width = 2 + (stages.map(\.name.count).max() ?? 0)
    return stages.map { stage in
      stage.name + String(repeating: " ", count: width - stage.name.count) + stage.xxh64
    }.joined(separator: "\n")
  }
}
