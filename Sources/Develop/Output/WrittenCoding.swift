import Formats
import Recipes
import Writers

/// What was written, which differs from what was asked for where a picture needs no gain map.
struct WrittenCoding {
  /// Name of the format.
  let format: String
  /// Range and primaries for people.
  let name: String

  init(_ output: Recipe.Output, _ written: WrittenFile) {
    let isPlain = output.format.hasGainMap && !written.hasGainMap
    format =
      (isPlain ? output.format.withoutGainMap(output.transfer) : output.format).rawValue
    name = output.encoding([]).coding(hasGainMap: written.hasGainMap)
  }
}
