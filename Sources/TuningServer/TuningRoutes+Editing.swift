import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Recipes
import Tuning

/// What is set on pictures: gestures, steps back, saving.
extension TuningRoutes {
  private struct StepBody: Decodable, Sendable {
    var key: String
    var title: String
    var from: [String: RecipeValue]
    var own: [String: RecipeValue]
    var held: Bool?
  }
  private struct MoveBody: Decodable, Sendable {
    var key: String
    var held: Bool?
  }
  private struct SaveBody: Decodable, Sendable {
    var side: EditDecision.Side?
    var revision: String?
  }

  /// What a page has to know that sent the step itself.
  private struct EditAnswer: Encodable {
    var status: EditStatus
    var own: [String: RecipeValue]

    init(edit: Edit) { (status, own) = (edit.status, edit.own) }
  }
  private struct DocumentAnswer: Encodable {
    var document: TuningDocument.State
    var edit: Edit
  }
  private struct Pending: Encodable {
    var edits: [EditStatus]
    var journalProblem: String?

    init(_ keeper: EditKeeper) {
      (edits, journalProblem) = (keeper.pending, keeper.journalProblem)
    }
  }
  // swift-format-ignore: NeverForceUnwrap
  private static let disposition = HTTPField.Name("Content-Disposition")!
  /// Longest key and title of a step, characters.
  static let (longestKey, longestTitle) = (64, 200)

  func addEditing(to router: Router<Context>) {
    router.get("/api/pictures/:id/document") { request, context in
      let picture = try await server.pictures.picture(try Asking(request, context).picture())
      let answer = try await server.reading.run {
        let edit = try server.edits.edit(picture.id)
        return DocumentAnswer(document: try picture.document.state(), edit: edit)
      }
      server.documents.note(picture.id, answer.document)
      return try Answers.json(answer)
    }
    post(router, "/api/pictures/:id/steps", StepBody.self) { body, asking in
      let id = try asking.picture()
      let gesture = EditKeeper.Gesture(
        key: try Self.key(body.key), title: String(body.title.prefix(Self.longestTitle)),
        from: body.from, own: body.own, isHeld: body.held ?? false)
      let open = await server.pictures.known(id)
      return try Answers.json(
        EditAnswer(
          edit: try await server.reading.run {
            try checkPaths(gesture, of: id, open)
            return try server.edits.record(gesture, on: id)
          }))
    }
    post(router, "/api/pictures/:id/move", MoveBody.self) { body, asking in
      let id = try asking.picture()
      return try Answers.json(
        EditAnswer(
          edit: try await server.reading.run {
            try server.edits.move(id, to: body.key, isHeld: body.held ?? false)
          }))
    }
    post(router, "/api/pictures/:id/save", SaveBody.self) { body, asking in
      let id = try asking.picture()
      let decision = body.side.map { EditDecision($0, revision: body.revision ?? "") }
      return try Answers.json(
        EditAnswer(
          edit: try await server.reading.run {
            server.edits.save(id, decision)
            return try server.edits.edit(id)
          }))
    }
    post(router, "/api/pictures/:id/discard", Nothing.self) { _, asking in
      let id = try asking.picture()
      try await server.reading.run { server.edits.discard(id) }
      return try Answers.empty()
    }
    post(router, "/api/save", Nothing.self) { _, _ in
      await server.edits.saveAll(isForced: true)
      return try Answers.json(Pending(server.edits))
    }
    router.get("/api/edits") { _, _ in try Answers.json(Pending(server.edits)) }
    router.get("/api/recipes") { _, _ in
      let bytes = try await server.reading.run { server.edits.archive() }
      return Answers.bytes(
        ByteBuffer(bytes: bytes), "application/x-tar",
        headers: [Self.disposition: "attachment; filename=\"recipes.tar\""])
    }
  }

  /// A key of a step. Throws for one that is too long.
  static func key(_ text: String) throws(RequestRefusal) -> String {
    guard !text.isEmpty, text.utf8.count <= longestKey else {
      throw .badRequest("key takes 1 to \(longestKey) bytes")
    }
    return text
  }

  /// Throws for paths out of the folder that nothing named before. A raw that is not open is not
  /// opened for a gesture: then what its edit gives already may stay, and no more.
  private func checkPaths(
    _ gesture: EditKeeper.Gesture, of id: PictureID, _ open: OpenPictures.Picture?
  ) throws {
    let known = try server.edits.edit(id).own
    // What was before a gesture comes back when it is undone.
    for values in [gesture.from, gesture.own] {
      let new = values.filter { known[$0.key] != $0.value }
      if let open {
        _ = try open.checked(new)
      } else {
        try PathValues(root: server.folder.root, raw: try server.folder.path(id)).check(new)
      }
    }
  }
}
