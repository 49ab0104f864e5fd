import Develop
import Foundation
import Hummingbird
import HummingbirdCore
import Recipes
import SystemPackage
import Tuning

/// What is kept of the settings: sidecars, recipes, defaults of the folder.
extension TuningRoutes {
  private struct SaveBody: Decodable, Sendable {
    var own: [String: RecipeValue]
    var revision: String
    var force: Bool?
  }
  private struct NamedBody: Decodable, Sendable {
    var own: [String: RecipeValue]
    var name: String
  }
  private struct ValuesBody: Decodable, Sendable { var own: [String: RecipeValue] }
  private struct PasteBody: Decodable, Sendable {
    var values: [String: RecipeValue]
    var ids: [Int]
  }

  private struct Document: Encodable { var document: TuningDocument.State }
  private struct Path: Encodable { var path: String }
  private struct Pasted: Encodable {
    var done: [Int] = []
    var failed: [Failure] = []

    struct Failure: Encodable {
      var id: Int
      var error: String
    }
  }

  func addKeeping(to router: Router<Context>) {
    post(router, "/api/pictures/:id/save", SaveBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.number("id"))
      let state = try await server.reading.run {
        try picture.document.save(
          picture.checked(body.own), revision: body.revision, force: body.force ?? false)
      }
      tell(picture.id, state, except: asking.page)
      return try Answers.json(Document(document: state))
    }
    post(router, "/api/pictures/:id/recipe", NamedBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.number("id"))
      let path = try await server.reading.run {
        try picture.document.saveRecipe(picture.checked(body.own), name: body.name)
      }
      return try Answers.json(Path(path: path.shown))
    }
    post(router, "/api/pictures/:id/defaults", ValuesBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.number("id"))
      let path = try await server.reading.run {
        try picture.document.saveFolderDefaults(picture.checked(body.own))
      }
      return try Answers.json(Path(path: path.shown))
    }
    post(router, "/api/paste", PasteBody.self) { body, asking in
      try Answers.json(await pasted(body, by: asking.page))
    }
  }

  /// Pastes to a few pictures at a time: each waits for the disk twice, and those that wait
  /// together take one turn of it.
  private func pasted(_ body: PasteBody, by page: Pages.Name) async -> Pasted {
    var failures: [Int: String] = [:]
    let names = FolderNames()
    await withTaskGroup(of: (id: Int, failure: String?).self) { group in
      for (number, id) in body.ids.enumerated() {
        if number >= Self.pastedTogether, let last = await group.next() {
          failures[last.id] = last.failure
        }
        group.addTask {
          do {
            try check(id)
            let open = await server.pictures.known(id)
            let revision = try await server.reading.run {
              try paste(body.values, into: id, open, names)
            }
            server.pages.send(.document(id: id, revision: revision), except: page)
            return (id, nil)
          } catch {
            return (id, RequestRefusal(error).message)
          }
        }
      }
      for await last in group { failures[last.id] = last.failure }
    }
    return Pasted(
      done: body.ids.filter { failures[$0] == nil },
      failed: body.ids.compactMap { id in failures[id].map { .init(id: id, error: $0) } })
  }

  /// As many as small files are read and written at a time.
  private static let pastedTogether = 4

  /// Tells the other pages that the documents of `id` are now `state`.
  private func tell(_ id: Int, _ state: TuningDocument.State, except page: Pages.Name) {
    server.documents.note(id, state)
    server.pages.send(.document(id: id, revision: state.revision), except: page)
  }

  /// Sets `values` in the sidecar of `id`; null removes. A raw that is not open is not opened: only
  /// its sidecar is looked at. Returns the revision of that.
  private func paste(
    _ values: [String: RecipeValue], into id: Int, _ open: OpenPictures.Picture?,
    _ names: FolderNames
  ) throws -> String {
    let path = try server.folder.path(id)
    try PathValues(root: server.folder.root, raw: path).check(values)
    let values = values.mapValues { $0 == .null ? nil : $0 }
    guard let open else {
      return try TuningDocument.paste(
        values, to: path, below: server.folder.root,
        among: names[path.removingLastComponent()])
    }
    if let problem = try open.document.state().problem {
      throw RequestRefusal(.unprocessableContent, "malformed", problem)
    }
    let state = try open.document.paste(values)
    server.documents.note(id, state)
    return state.revision
  }
}
