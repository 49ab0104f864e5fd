import Foundation
import HTTPTypes
import Hummingbird
import ImageCore
import NIOCore
import Recipes
import Tuning

/// Turns errors of the routes below it into responses.
struct ErrorAnswers: RouterMiddleware {
  typealias Context = TuningContext

  private struct Body: Encodable {
    var error: String
    var code: String
    var names: [String]?
    var edit: Edit?
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch { return try Self.response(error) }
  }

  /// The response to a request that failed with `error`.
  static func response(_ error: any Error) throws -> Response {
    if case EditRefusal.changed(let names, let edit)? = error as? EditRefusal {
      return try Answers.json(
        Body(error: "\(error)", code: "changed", names: names, edit: edit), status: .conflict)
    }
    let refusal = RequestRefusal(error)
    var response = try Answers.json(
      Body(error: refusal.message, code: refusal.code), status: refusal.status)
    // The rest of an unread body must not be parsed as a request.
    if refusal.status == .contentTooLarge { response.headers[.connection] = "close" }
    return response
  }
}

extension RequestRefusal {
  /// What an error means for the client.
  init(_ error: any Error) {
    switch error {
    case let error as RequestRefusal: self = error
    case is NIOTooManyBytesError: self = .tooLarge
    case is CancellationError, PixelError.cancelled: self = .replaced
    case let error as TuningFolder.AnotherPicture: self = .another("\(error)")
    case EditRefusal.unknownStep: self = .notFound("\(error)")
    case let error as any KindedError where error.codeName == RecipeError.Code.exists.rawValue:
      self.init(.conflict, error.codeName, Self.line(error))
    case let error as any KindedError:
      self.init(Self.status(error.kind), error.codeName, Self.line(error))
    case let error as any HTTPResponseError:
      let isUnknown = error.status == .notFound
      self.init(
        error.status, isUnknown ? "notFound" : "badRequest",
        isUnknown ? "there is nothing at this address" : error.status.reasonPhrase)
    case let error as any CustomStringConvertible:
      self.init(.unprocessableContent, "failed", Self.line(error))
    default: self.init(.internalServerError, "failed", Self.line(error))
    }
  }

  private static func status(_ kind: FailureKind) -> HTTPResponse.Status {
    switch kind {
    case .request: .badRequest
    case .cannotRead: .notFound
    case .badInput: .unprocessableContent
    case .cannotWrite, .overLimit: .init(code: 507, reasonPhrase: "Insufficient Storage")
    case .cancelled: .conflict
    }
  }

  private static func line(_ error: Any) -> String {
    "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
