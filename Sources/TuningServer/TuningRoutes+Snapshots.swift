import Hummingbird
import Recipes
import Tuning

/// Named values.
extension TuningRoutes {
  private struct SnapshotBody: Decodable, Sendable {
    var name: String
    var own: [String: RecipeValue]?
  }
  private struct List: Encodable { var snapshots: [Snapshots.Snapshot] }

  func addSnapshots(to router: Router<Context>) {
    router.get("/api/pictures/:id/snapshots") { request, context in
      let name = try pictureName(Asking(request, context))
      return try Answers.json(
        List(snapshots: try await server.reading.run { try server.snapshots.all(of: name) }))
    }
    post(router, "/api/pictures/:id/snapshots", SnapshotBody.self) { body, asking in
      let name = try pictureName(asking)
      let snapshots = try await server.reading.run {
        try server.snapshots.keep(body.own, as: body.name, of: name)
      }
      return try Answers.json(List(snapshots: snapshots))
    }
  }

  private func pictureName(_ asking: Asking) throws -> String {
    let id = try asking.picture()
    _ = try server.folder.path(id)
    return server.folder.entry(id)?.name ?? ""
  }
}
