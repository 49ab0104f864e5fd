import Develop
import Foundation
import Rawdev
import Recipes

/// One line of JSON from a client.
struct Request: Decodable {
  var id: String
  var raw: String
  var output: String
  var exposure: Float?

  func job(_ recipe: Recipe) -> DevelopJob {
    var recipe = recipe
    if let exposure { recipe.raw.exposure = exposure }
    return DevelopJob(id: id, input: raw, output: .file(URL(filePath: output)), recipe: recipe)
  }
}
