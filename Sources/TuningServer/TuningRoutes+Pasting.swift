import Hummingbird
import HummingbirdCore
import Recipes
import Tuning

/// What is set on several pictures at once.
extension TuningRoutes {
  private struct PasteBody: Decodable, Sendable {
    var values: [String: RecipeValue]
    var ids: [PictureID]
    var source: PictureID?
    var key: String
    var title: String
    var held: Bool?
  }

  private struct Pasted: Encodable {
    struct Failure: Encodable {
      var id: PictureID
      var error: String
    }

    var done: [PictureID]
    var failed: [Failure]
  }

  func addPasting(to router: Router<Context>) {
    post(router, "/api/paste", PasteBody.self) { body, _ in
      let pasting = EditKeeper.Pasting(
        body.values, key: try Self.key(body.key),
        title: String(body.title.prefix(Self.longestTitle)), source: body.source,
        isHeld: body.held ?? false)
      let failures = try await server.reading.run {
        await server.edits.paste(pasting, to: body.ids) { path in
          try PathValues(root: server.folder.root, raw: path).check(body.values)
        }
      }
      return try Answers.json(
        Pasted(
          done: body.ids.filter { failures[$0] == nil },
          failed: body.ids.compactMap { id in
            failures[id].map { .init(id: id, error: RequestRefusal($0).message) }
          }))
    }
  }
}
