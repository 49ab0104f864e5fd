import Hummingbird
import Recipes
import Tuning

/// Looks.
extension TuningRoutes {
  private struct LookBody: Decodable, Sendable {
    var title: String
    var own: [String: RecipeValue]
  }
  private struct IDBody: Decodable, Sendable { var id: String }
  private struct List: Encodable { var looks: [Look] }

  func addLooks(to router: Router<Context>) {
    router.get("/api/looks") { _, _ in try await looks(after: {}) }
    post(router, "/api/looks", LookBody.self) { body, _ in
      try await looks(after: { try server.looks.save(body.own, title: body.title) })
    }
    post(router, "/api/looks/remove", IDBody.self) { body, _ in
      try await looks(after: { try server.looks.remove(body.id) })
    }
  }

  /// All looks after `change`.
  private func looks(after change: @escaping @Sendable () throws -> Void) async throws -> Response {
    try Answers.json(
      List(
        looks: try await server.reading.run {
          try change()
          return server.looks.all()
        }))
  }
}
