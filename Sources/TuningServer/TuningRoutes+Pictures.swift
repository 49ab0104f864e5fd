import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ImageCore
import NIOCore
import RawFilter
import Tuning

/// The folder, and pictures as they are opened.
extension TuningRoutes {
  private struct List: Encodable {
    var count: Int
    var pictures: [TuningFolder.Entry]
  }

  /// What is known of a raw.
  private struct Info: Encodable {
    var camera: String?
    var lens: String?
    var iso: Int?
    var exposureTime: Double?
    var aperture: Double?
    var focalLength: Double?
    var date: String?
    var width: Int
    var height: Int

    init(_ filter: RAWFilter) {
      let metadata = filter.properties
      (camera, lens, iso) = (metadata.camera, metadata.lens, metadata.isoSpeed)
      (exposureTime, aperture) = (metadata.exposureTime, metadata.fNumber)
      (focalLength, date) = (metadata.focalLength, metadata.dateTimeOriginal)
      (width, height) = (filter.nativeSize.width, filter.nativeSize.height)
    }
  }

  private struct Opened: Encodable {
    var facts: Info
    var document: TuningDocument.State
    var state: TuningState
    var picture: TuningFolder.Entry?
    var edit: Edit
  }

  private struct StateAnswer: Encodable { var state: TuningState }

  /// Sides of thumbnails, pixels.
  private static let thumbnailSides = 16...4096

  func addPictures(to router: Router<Context>) {
    router.get("/api/pictures") { request, _ in
      let query = request.uri.queryParameters
      let first = query["from"].flatMap { Int($0) } ?? 0
      let count = query["count"].flatMap { Int($0) } ?? 200
      guard first >= 0, count >= 0 else {
        throw RequestRefusal.badRequest("from and count take numbers from 0")
      }
      let pictures = try await server.reading.run {
        // With a page the server looks by itself.
        if !server.pages.isAnyConnected { _ = try? server.folder.look() }
        return server.edits.entries(from: first, count: min(count, TuningLimits.entries))
      }
      return try Answers.json(List(count: server.folder.count, pictures: pictures))
    }
    router.get("/api/pictures/:id/thumbnail") { request, context in
      // The page begins with the first one before it knows of any.
      let isFirst = context.parameters.get("id") == "first"
      let first = isFirst ? server.folder.entries(from: 0, count: 1).first?.id : nil
      let id = try first ?? Asking(request, context).picture()
      let side = request.uri.queryParameters["side"].map { Int($0) ?? 0 } ?? 240
      guard Self.thumbnailSides.contains(side) else {
        throw RequestRefusal.badRequest("side takes 16 to 4096 pixels")
      }
      // A thumbnail that was scrolled away is not made.
      var response: Response
      do {
        let bytes = try await request.body.consumeWithCancellationOnInboundClose { _ in
          if request.uri.queryParameters["edit"] != nil {
            let session = await server.pictures.known(id)?.session
            return try await server.editedThumbnails.run {
              try await server.edits.thumbnail(
                id, side: side, applied: server.options.applied, session: session)
            }
          }
          if side == OpeningPreviews.side { return try await server.previews.preview(id) }
          return try await server.thumbnails.run {
            try await server.folder.thumbnail(id, side: side)
          }
        }
        response = Answers.bytes(ByteBuffer(bytes: bytes), "image/jpeg")
      } catch {
        response = try ErrorAnswers.response(error)
      }
      response.headers[.connection] = "close"
      return response
    }
    router.get("/api/pictures/:id/files") { request, context in
      let id = try Asking(request, context).picture()
      return try Answers.json(try await server.reading.run { try server.folder.files(beside: id) })
    }
    // A picture that was passed by is not opened to its end.
    postCancellable(router, "/api/pictures/:id/open", Nothing.self) { _, asking in
      let picture = try await server.pictures.picture(try asking.picture())
      let opened = try await server.renders.run {
        let document = try picture.document.state()
        let edit = try server.edits.edit(picture.id)
        // What was set while the documents said otherwise may not be possible any more.
        let settings =
          try (try? picture.settings(edit.own)) ?? picture.document.settings(document.own)
        return Opened(
          facts: Info(picture.session.filter), document: document,
          state: try await picture.session.state(settings),
          picture: server.edits.entry(picture.id), edit: edit)
      }
      server.documents.note(picture.id, opened.document)
      server.pages.show(picture.id, in: asking.page)
      return try Answers.json(opened)
    }
    postCancellable(router, "/api/pictures/:id/state", OwnBody.self) { body, asking in
      let picture = try await server.pictures.picture(try asking.picture())
      return try Answers.json(
        try await server.renders.run {
          let settings = try picture.settings(body.own ?? [:])
          return StateAnswer(state: try await picture.session.state(settings))
        })
    }
  }
}
