import Develop
import Hummingbird
import HummingbirdCore
import Recipes
import Tuning

/// Settings stored for other pictures: recipes, defaults of the folder.
extension TuningRoutes {
  private struct NamedBody: Decodable, Sendable {
    var own: [String: RecipeValue]
    var name: String
  }
  private struct ValuesBody: Decodable, Sendable { var own: [String: RecipeValue] }
  private struct Path: Encodable { var path: String }

  func addKeeping(to router: Router<Context>) {
    post(router, "/api/pictures/:id/recipe", NamedBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.picture())
      let path = try await server.reading.run {
        try picture.document.saveRecipe(picture.checked(body.own), name: body.name)
      }
      return try Answers.json(Path(path: path.shown))
    }
    post(router, "/api/pictures/:id/defaults", ValuesBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.picture())
      let path = try await server.reading.run {
        try picture.document.saveFolderDefaults(picture.checked(body.own))
      }
      return try Answers.json(Path(path: path.shown))
    }
  }
}
