import ArgumentParser
import HDRRender
import ImageFilters
import Recipes

/// The frame of a picture: its crop and rotation.
struct FrameOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Part to keep, each number in pixels of the upright picture or in percent of its side.",
      valueName: "x,y,width,height"),
    transform: Self.area)
  var crop: CropArea?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rotate clockwise by -45 to 45 and keep the largest frame without empty corners.",
      valueName: "degrees"))
  var straighten: Double?

  private static func area(_ text: String) throws -> CropArea {
    do { return try CropArea(text) } catch { throw ValidationError("--crop is \(error.message)") }
  }

  func validate() throws {
    if let straighten, !(-45...45).contains(straighten) {
      throw ValidationError("--straighten is \(straighten); it takes -45 to 45 degrees")
    }
  }

  /// The rotation as an edit of a finished picture.
  var rotation: [any ImageFilter] {
    get throws { try straighten.map { [try AffineFilter(straightenedBy: $0)] } ?? [] }
  }

  /// The frame as the `raw` part of a recipe.
  var values: [String: RecipeValue] {
    var values: [String: RecipeValue] = [:]
    values["crop"] = crop.map { .text($0.description) }
    values["straightenAngle"] = straighten.map { .number($0) }
    return values
  }
}
