import Develop
import Foundation
import SystemPackage
import Testing

@testable import Batch

/// A client of a server on a Unix socket.
final class TestClient {
  private let descriptor: Int32
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
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    // Workers are children of this process too, and would keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    let result = withUnsafePointer(to: &address) { start in
      start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "cannot connect")
    // No test waits for ever.
    var limit = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ line: String) { LineWriter.write(Data(line.utf8), to: descriptor) }

  /// The next reply; nil at the end.
  func reply() throws -> Reply? {
    while true {
      if let line = lines.next() { return try JSONDecoder().decode(Reply.self, from: Data(line)) }
      // What an earlier call left there would look like a read that waited in vain.
      errno = 0
      guard lines.read(from: descriptor) else { return nil }
      try #require(errno != EAGAIN, "the server does not answer")
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
