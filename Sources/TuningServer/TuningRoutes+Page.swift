import Develop
import Hummingbird
import HummingbirdCore
import NIOCore
import Recipes
import Tuning

/// The page, what it starts with, and its events.
extension TuningRoutes {
  private struct Start: Encodable {
    var version: String
    var folder: String
    var count: Int
    var single: Bool
    /// Whether sidecars can be written.
    var writable: Bool
    var properties: [PropertyList.Item]
    var groups: [PropertyList.Group]
    var formats: [PropertyList.Format]
    var presets = OutputPreset.all
  }

  func addPage(to router: Router<Context>) {
    router.get("/") { _, _ in try file("index.html") }
    router.get("/page/:name") { _, context in try file(context.parameters.get("name") ?? "") }
    router.get("/api/start") { _, _ in
      try Answers.json(
        Start(
          version: server.options.version, folder: server.folder.root.shown,
          count: server.folder.count, single: server.isSingle, writable: server.edits.isWritable,
          properties: PropertyList.properties, groups: PropertyList.groups,
          formats: PropertyList.formats))
    }
    router.get("/api/events") { request, _ in events(request) }
  }

  private func file(_ name: String) throws -> Response {
    guard let file = PageFiles.all[name] else {
      throw RequestRefusal.notFound("the page has no file of this name")
    }
    return Answers.bytes(file.bytes, file.contentType)
  }

  private func events(_ request: Request) -> Response {
    let page = Asking.name(request.uri.queryParameters["page"].map(String.init) ?? "")
    let messages = server.pages.connect(page, jobs: server.jobs.statuses)
    let body = ResponseBody { writer in
      // Ends at once when the page is closed.
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        var writer = writer
        for await message in messages {
          try await writer.write(ByteBuffer(string: message))
        }
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8"], body: body)
  }
}
