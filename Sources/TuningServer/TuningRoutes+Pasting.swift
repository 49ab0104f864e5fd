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
    var done: [PictureID]
    var failed: [PictureFailure]
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
          failed: PictureFailure.all(of: body.ids, failures)))
    }
  }
}

/// What could not be done to one of several pictures.
struct PictureFailure: Encodable {
  var id: PictureID
  var error: String

  /// The `failures` in the order of `ids`.
  static func all(
    of ids: [PictureID], _ failures: [PictureID: any Error]
  ) -> [PictureFailure] {
    ids.compactMap { id in
      failures[id].map { PictureFailure(id: id, error: RequestRefusal($0).message) }
    }
  }
}
