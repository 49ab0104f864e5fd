import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Lets requests pass to the routes that may.
struct AccessCheck: RouterMiddleware {
  typealias Context = TuningContext

  let access: Access
  let connections: OpenConnections

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try access.check(request)
    let isPage = request.method == .get && request.uri.path == "/"
    if isPage, let given = request.uri.queryParameters["token"] {
      guard access.takes(token: String(given)) else {
        throw RequestRefusal.forbidden(
          "the token of this address is no longer valid; open the one that rawdev tune printed")
      }
      return redirect(context)
    }
    if access.hasCookie(request) {
      connections.admit(context.channel)
      return try await next(request, context)
    }
    guard isPage, access.needsPassword else {
      throw RequestRefusal.forbidden("open the address that rawdev tune printed")
    }
    if access.hasPassword(request) { return redirect(context) }
    if request.headers[.authorization] != nil {
      // Guessing takes long.
      try await Task.sleep(for: .seconds(1))
    }
    var response = try Answers.json(
      ["error": "give the password of rawdev tune", "code": "password"], status: .unauthorized)
    response.headers[.wwwAuthenticate] = "Basic realm=\"rawdev tune\", charset=\"UTF-8\""
    return response
  }

  /// To the page, with the cookie; so the token does not stay in the address.
  private func redirect(_ context: Context) -> Response {
    connections.admit(context.channel)
    return Response(status: .seeOther, headers: [.location: "/", .setCookie: access.cookie])
  }
}

/// The security headers of every response: never stored, never framed, nothing loaded from other
/// origins.
struct ResponseHeaders: RouterMiddleware {
  typealias Context = TuningContext

  // swift-format-ignore: NeverForceUnwrap
  private static let fields: [(HTTPField.Name, String)] = [
    (
      .contentSecurityPolicy,
      """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
    ),
    (.cacheControl, "no-store"),
    (.xContentTypeOptions, "nosniff"),
    (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
    (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
    (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
  ]

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    for (name, value) in Self.fields { response.headers[name] = value }
    return response
  }
}
