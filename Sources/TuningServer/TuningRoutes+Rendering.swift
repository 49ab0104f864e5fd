import HTTPTypes
import Hummingbird
import HummingbirdCore
import ImageCore
import NIOCore
import RawFilter
import Recipes
import Tuning

/// Pictures, and what is measured in them.
extension TuningRoutes {
  private struct HistogramBody: Decodable, Sendable {
    var own: [String: RecipeValue]?
    var allowsDraft: Bool?
  }

  private struct PointBody: Decodable, Sendable {
    var own: [String: RecipeValue]?
    var x: Double
    var y: Double

    /// The pixel that the point is in. Throws where it is in none of any picture.
    func pixel() throws(RequestRefusal) -> (x: Int, y: Int) {
      let sides = 0..<Double(PixelSize.largestSide)
      guard sides.contains(x), sides.contains(y) else {
        throw .badRequest("x and y take a pixel of the finished picture")
      }
      return (Int(x), Int(y))
    }
  }

  // swift-format-ignore: NeverForceUnwrap
  private static let (sizeField, partField, finishedField, headroomField, draftField) = (
    HTTPField.Name("Rawdev-Size")!, HTTPField.Name("Rawdev-Part")!,
    HTTPField.Name("Rawdev-Whole")!, HTTPField.Name("Rawdev-Headroom")!,
    HTTPField.Name("Rawdev-Draft")!
  )

  func addRendering(to router: Router<Context>) {
    postCancellable(router, "/api/pictures/:id/render", RenderBody.self) { body, asking in
      let id = try asking.picture()
      let viewer = try body.viewerName()
      let picture = try await server.pictures.picture(id)
      let key = WorkQueue.Key(picture: id, page: asking.page, viewer: viewer)
      let result = try await server.renders.run(key) {
        let request = try body.request(try picture.recipe(body.own ?? [:]))
        return try await picture.session.picture(request, viewer: "\(asking.page)/\(viewer)")
      }
      return Self.answer(result, body.form ?? .rgba8)
    }
    postCancellable(router, "/api/pictures/:id/light", HistogramBody.self) { body, asking in
      try await measure(asking, body.own) {
        try await $0.histogram(
          $1.raw, headroomLimit: $1.render.headroomLimit, allowsDraft: body.allowsDraft ?? false)
      }
    }
    postCancellable(router, "/api/pictures/:id/readout", PointBody.self) { body, asking in
      let (x, y) = try body.pixel()
      return try await measure(asking, body.own) {
        try await $0.readout($1.raw, headroomLimit: $1.render.headroomLimit, x: x, y: y)
      }
    }
    postCancellable(router, "/api/pictures/:id/white", PointBody.self) { body, asking in
      let (x, y) = try body.pixel()
      return try await measure(asking, body.own) { try await $0.white($1.raw, x: x, y: y) }
    }
    postCancellable(router, "/api/pictures/:id/auto", OwnBody.self) { body, asking in
      try await measure(asking, body.own) {
        ["values": try await $0.automaticAdjustments($1.raw)]
      }
    }
  }

  private func measure<Result: Encodable & Sendable>(
    _ asking: Asking, _ own: [String: RecipeValue]?,
    _ measure: @escaping @Sendable (TuningSession, Recipe) async throws -> Result
  ) async throws -> Response {
    let picture = try await server.pictures.picture(try asking.picture())
    return try Answers.json(
      try await server.renders.run {
        try await measure(picture.session, try picture.recipe(own ?? [:]))
      })
  }

  private static func answer(_ picture: TuningPicture, _ form: TuningRequest.Form) -> Response {
    let type =
      switch form {
      case .rgba8: "application/octet-stream"
      case .avif: "image/avif"
      case .jpeg: "image/jpeg"
      }
    let part = picture.part
    return Answers.bytes(
      ByteBuffer(bytes: picture.bytes), type,
      headers: [
        sizeField: "\(picture.size.width) \(picture.size.height)",
        partField: "\(part.x) \(part.y) \(part.width) \(part.height)",
        finishedField: "\(picture.finishedSize.width) \(picture.finishedSize.height)",
        headroomField: "\(picture.headroom)", draftField: "\(picture.isDraft)",
      ])
  }
}
