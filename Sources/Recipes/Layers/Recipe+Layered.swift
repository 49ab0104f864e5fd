import Foundation

extension Recipe {
  /// The effective values of `layered`.
  public init(_ layered: LayeredRecipe) throws(RecipeError) {
    do {
      self = try JSONDecoder().decode(Recipe.self, from: JSONEncoder().encode(layered.values))
    } catch {
      throw RecipeError(.badSetting, "\(error)")
    }
  }
}
