import RawFilter
import Recipes

/// The part of a picture's settings that makes a look for other pictures: what changes colors,
/// tones and structures, without what belongs to the one picture or its camera.
enum LookValues {
  /// Stages whose properties belong to the picture, its camera or the file that is written.
  private static let otherStages: Set<Adjustment.Stage> = [
    .decode, .demosaic, .size, .profile, .fileExposure, .frame, .output,
  ]
  /// Properties of other stages that name pixels, or belong to values that are paths: a look is
  /// not beside the files that a picture names.
  private static let otherNames =
    Set(RecipeDocument.pathNames)
    .union(["neutralLocation", "whitePatch", "exposurePatch", "lutSpace", "lutAmount"])

  /// Names of the properties that a look may have.
  static let names = Set(
    Adjustment.all.filter {
      !otherStages.contains($0.stage) && !otherNames.contains($0.name)
    }.map(\.name))

  /// The values of a look among `own`.
  static func values(of own: [String: RecipeValue]) -> [String: RecipeValue] {
    own.filter { name, value in
      names.contains(name) && value != .null && !(name == "look" && LookPath.isPath(value))
    }
  }
}
