import Develop
import Foundation
import SystemPackage
import Testing

@testable import Batch

/// A client of a server on a Unix socket.
final class TestClient {
  private let socket: UnixSocket
  private var lines = LineReader()

  /// One reply as JSON.
  struct Reply: Decodable, Hashable {
    var event: String
    var id: String?
    var status: String?
    var share: Double?
    var message: String?
    var error: BatchItem.Failure?
    var outputs: [BatchItem.Output]?
    var warnings: [String]?
  }

  init(_ path: FilePath) throws {
    guard let socket = UnixSocket(path) else { throw Errno.fileNameTooLong }
    try socket.connect()
    self.socket = socket
  }

  func send(_ line: String) { try? socket.descriptor.file.send((line + "\n").utf8) }

  /// The next reply; nil at the end. No test waits for ever.
  func reply() throws -> Reply? {
    let input = socket.descriptor.file
    while true {
      if let line = lines.next() { return try JSONDecoder().decode(Reply.self, from: line) }
      try #require(
        Poll.readable([input], milliseconds: 300_000) == [0], "the server does not answer")
      guard lines.read(from: input) else { return nil }
    }
  }

  /// The next reply that says what became of a request.
  func item() throws -> Reply? {
    while let reply = try reply() { if reply.event != "share" { return reply } }
    return nil
  }

  /// The next `count` of them by identifier.
  func items(_ count: Int) throws -> [String: Reply] {
    var found: [String: Reply] = [:]
    for _ in 0..<count {
      let item = try #require(try item())
      #expect(found.updateValue(item, forKey: item.id ?? "") == nil)
    }
    return found
  }
}
