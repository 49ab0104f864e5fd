import HTTPTypes
import Hummingbird

/// Why a request is not answered with what it asks for.
struct RequestRefusal: Error, Sendable {
  var status: HTTPResponse.Status
  /// For programs.
  var code: String
  /// One line that says what to do next.
  var message: String

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
    (self.status, self.code, self.message) = (status, code, message)
  }

  static func forbidden(_ message: String) -> RequestRefusal {
    RequestRefusal(.forbidden, "forbidden", message)
  }
  static func badRequest(_ message: String) -> RequestRefusal {
    RequestRefusal(.badRequest, "badRequest", message)
  }
  static func notFound(_ message: String) -> RequestRefusal {
    RequestRefusal(.notFound, "notFound", message)
  }
  /// The picture of the request is not the one any more that the page takes it for.
  static func another(_ message: String) -> RequestRefusal {
    RequestRefusal(.conflict, "another", message)
  }
  static let tooLarge = RequestRefusal(
    .contentTooLarge, "tooLarge", "the request is longer than 1 MiB; ask for less at a time")
  static let busy = RequestRefusal(
    .serviceUnavailable, "busy", "too much is being rendered; ask again when some of it is done")
  static let replaced = RequestRefusal(
    .conflict, "replaced", "a later request of the same viewer replaces this one")
}
