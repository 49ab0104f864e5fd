import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Recipes
import Tuning

/// The requests of the protocol (`Docs/tune.md`), in one file for each group of them.
struct TuningRoutes: Sendable {
  typealias Context = TuningContext

  let server: TuningServer

  /// All routes, after the checks of access.
  var router: Router<Context> {
    let router = Router(context: Context.self)
    router.add(middleware: ResponseHeaders())
    router.add(middleware: ErrorAnswers())
    router.add(
      middleware: AccessCheck(access: server.access, connections: server.connections))
    addPage(to: router)
    addPictures(to: router)
    addRendering(to: router)
    addEditing(to: router)
    addPasting(to: router)
    addMarking(to: router)
    addKeeping(to: router)
    addSnapshots(to: router)
    addLooks(to: router)
    addDeveloping(to: router)
    return router
  }

  /// Answers `POST path` with what `body` makes of the JSON that was sent.
  func post<Body: Decodable & Sendable>(
    _ router: Router<Context>, _ path: RouterPath, _ type: Body.Type,
    _ answer: @escaping @Sendable (Body, Asking) async throws -> Response
  ) {
    router.post(path) { request, context in
      let body = try await decoded(type, from: request.body, of: request)
      return try await answer(body, Asking(request, context))
    }
  }

  /// The same for work that is cancelled when nobody waits for its result any more. The connection
  /// ends with it, since it has been read to detect that it was closed.
  func postCancellable<Body: Decodable & Sendable>(
    _ router: Router<Context>, _ path: RouterPath, _ type: Body.Type,
    _ answer: @escaping @Sendable (Body, Asking) async throws -> Response
  ) {
    router.post(path) { request, context in
      try Self.checkLength(of: request)
      var response: Response
      do {
        response = try await request.body.consumeWithCancellationOnInboundClose { body in
          try await answer(
            try await decoded(type, from: body, of: request), Asking(request, context))
        }
      } catch {
        response = try ErrorAnswers.response(error)
      }
      response.headers[.connection] = "close"
      return response
    }
  }

  private func decoded<Body: Decodable>(
    _ type: Body.Type, from body: RequestBody, of request: Request
  ) async throws -> Body {
    try Self.checkLength(of: request)
    var bytes = Data()
    var isTooLong = false
    // Read to its end even where it is too long: what is left would hold up the connection.
    for try await chunk in body {
      isTooLong = isTooLong || bytes.count + chunk.readableBytes > TuningLimits.bodyBytes
      if !isTooLong { bytes.append(contentsOf: chunk.readableBytesView) }
    }
    if isTooLong { throw RequestRefusal.tooLarge }
    do {
      return try BoundedJSON.decode(type, from: bytes)
    } catch let error as DecodingError {
      throw RequestRefusal.badRequest(Self.message(error))
    }
  }

  /// Throws where the request says that its body is too long, before any of it is read.
  private static func checkLength(of request: Request) throws(RequestRefusal) {
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    if length > TuningLimits.bodyBytes { throw .tooLarge }
  }

  private static func message(_ error: DecodingError) -> String {
    func key(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the request" : path.map(\.stringValue).joined(separator: ".")
    }
    if let excess = error.excess { return "\(excess)" }
    return switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(key(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "the request is not JSON" : "\(key(context.codingPath)) has an invalid value"
    @unknown default: "the request does not match the expected JSON"
    }
  }
}

/// What is known of a request beside what it says.
struct TuningContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection that it came on.
  let channel: any Channel

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Who asks for what.
struct Asking: Sendable {
  /// The page, by the text that it names itself with.
  var page: Pages.Name
  private let parameters: Parameters

  // swift-format-ignore: NeverForceUnwrap
  private static let pageField = HTTPField.Name("Rawdev-Page")!

  init(_ request: Request, _ context: TuningRoutes.Context) {
    page = Self.name(request.headers[Self.pageField] ?? "")
    parameters = context.parameters
  }

  /// A name of a page, shortened to what is remembered.
  static func name(_ text: String) -> Pages.Name { String(text.prefix(64)) }

  /// The picture of the path. Throws where that is not an identity.
  func picture() throws(RequestRefusal) -> PictureID {
    guard let id = parameters.get("id").flatMap({ PictureID($0) }) else {
      throw .notFound("there is nothing at this address")
    }
    return id
  }

  /// The number of the path that is called `name`. Throws where it is none.
  func number(_ name: String) throws(RequestRefusal) -> Int {
    guard let text = parameters.get(name), let number = Int(text) else {
      throw .notFound("there is nothing at this address")
    }
    return number
  }
}

/// An object whose keys do not count.
struct Nothing: Decodable, Sendable {}

/// A body with values.
struct OwnBody: Decodable, Sendable {
  var own: [String: RecipeValue]?
}
