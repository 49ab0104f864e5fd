import Foundation
import HTTPTypes
import Hummingbird
import ImageCore
import NIOCore

/// The responses of the server.
enum Answers {
  /// `value` as JSON.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    let data = try encoder.encode(value)
    return Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }

  /// An object without keys.
  static func empty() throws -> Response { try json([String: String]()) }

  /// Bytes of a type.
  static func bytes(
    _ bytes: ByteBuffer, _ contentType: String, headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = contentType
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
  }

  /// What writes answers.
  static var encoder: JSONEncoder { .ofLines() }
}
