import Foundation
import SystemPackage
import TestSupport
import Testing
import Tuning

@testable import TuningServer

/// A server on a free port, and requests to it byte for byte as a test gives them.
final class RunningServer: Sendable {
  let server: TuningServer
  let port: Int
  let token: String

  /// Runs `body` with a server for `path`, which is stopped afterwards.
  static func with(
    _ path: String, _ change: (inout TuningServerOptions) -> Void = { _ in },
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    var options = TuningServerOptions(worker: try worker)
    change(&options)
    let server = try TuningServer(FilePath(path), options: options)
    let (ready, signal) = AsyncStream<Void>.makeStream()
    let run = Task {
      defer { signal.finish() }
      try await server.run { signal.yield() }
    }
    for await _ in ready { break }
    do {
      try await body(try RunningServer(server))
    } catch {
      server.stop()
      try await run.value
      throw error
    }
    server.stop()
    try await run.value
  }

  private init(_ server: TuningServer) throws {
    let address = try #require(URLComponents(string: server.url))
    (self.server, port) = (server, try #require(address.port))
    token = address.queryItems?.first { $0.name == "token" }?.value ?? ""
  }

  /// The program of worker processes, which SwiftPM puts beside the tests.
  private static var worker: [String] {
    get throws {
      let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return [FilePath(own).removingLastComponent().appending("rawdev").string, "worker"]
    }
  }

  var host: String { "127.0.0.1:\(port)" }
  var cookie: String { "rawdev-\(port)=\(server.access.cookieValue)" }

  /// Sends a request with these header fields and no others. nil leaves one out.
  func send(
    _ method: String, _ target: String, _ fields: [String: String?], body: [UInt8] = []
  ) async throws -> Reply {
    var text = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in fields { if let value { text += "\(name): \(value)\r\n" } }
    if !body.isEmpty, fields["Transfer-Encoding"] == nil {
      text += "Content-Length: \(body.count)\r\n"
    }
    let connection = try Connection(port: port)
    return Reply(try await connection.exchange(Array((text + "\r\n").utf8) + body))
  }

  /// `GET` as sent by our page, except for `changes`.
  func get(_ target: String, _ changes: [String: String?] = [:]) async throws -> Reply {
    try await send("GET", target, ["Host": host, "Cookie": cookie].merging(changes) { $1 })
  }

  /// `POST` of JSON as sent by our page, except for `changes`.
  func post(
    _ target: String, _ json: String, _ changes: [String: String?] = [:]
  ) async throws -> Reply {
    let own = ["Host": host, "Cookie": cookie, "Content-Type": "application/json"]
    return try await send(
      "POST", target, (own as [String: String?]).merging(changes) { $1 }, body: Array(json.utf8))
  }

  /// The identity of the picture of this name, else of the first one.
  func id(_ name: String? = nil) throws -> String {
    let all = server.folder.entries(from: 0, count: 1000)
    let entry = try #require(name == nil ? all.first : all.first { $0.name == name })
    return entry.id.description
  }

  /// `POST` to an action of that picture.
  func act(
    _ action: String, _ json: String, on name: String? = nil,
    _ changes: [String: String?] = [:]
  ) async throws -> Reply {
    try await post("/api/pictures/\(try id(name))/\(action)", json, changes)
  }

  /// Sets the values `own`, of JSON, of that picture, which has none, as a gesture of a page.
  func step(_ own: String, key: String = "k", on name: String? = nil) async throws -> Reply {
    try await act("steps", #"{"key":"\#(key)","title":"t","from":{},"own":\#(own)}"#, on: name)
  }

  /// The events for `page`, as text that comes.
  func events(_ page: String) async throws -> Connection {
    let connection = try Connection(port: port)
    try await connection.send(
      Array(
        "GET /api/events?page=\(page) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n".utf8))
    try await connection.read(until: "\"hello\"")
    return connection
  }
}

/// A response.
struct Reply: Sendable {
  var status = 0
  var fields: [String: String] = [:]
  var body: [UInt8] = []

  init(_ bytes: [UInt8]) {
    let mark = Array("\r\n\r\n".utf8)
    let end = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.endIndex
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    if words.count > 1 { status = Int(words[1]) ?? 0 }
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
    }
    body = Array(bytes[end...].dropFirst(mark.count))
  }

  var text: String { String(decoding: body, as: UTF8.self) }
  /// The body as an object.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }
  /// The code of an error.
  var code: String? { json["code"] as? String }
}

/// A connection to this computer. It waits on threads of its own, since the threads of tests are
/// also the server's.
final class Connection: Sendable {
  private let socket: Int32
  private let queue = DispatchQueue(label: "rawdev.test.receiving")
  private let sending = DispatchQueue(label: "rawdev.test.sending")
  private nonisolated(unsafe) var received: [UInt8] = []

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { close(socket) }

  func send(_ bytes: [UInt8]) async throws {
    await on(sending) { [socket] in
      var rest = bytes[...]
      // A server that refuses may close before all was sent.
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Sends `bytes` and reads until the server closes, at the same time: a server that refuses a
  /// long body does not read all of it.
  func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
    async let sent: Void = send(bytes)
    let all = await on(queue) { [self] in
      while readOnce() {}
      shutdown(socket, Int32(SHUT_RDWR))
      return received
    }
    try await sent
    return all
  }

  /// Reads until `text` came; fails where the server closes before.
  @discardableResult func read(until text: String) async throws -> String {
    let (all, found) = await on(queue) { [self] in
      while true {
        let all = String(decoding: received, as: UTF8.self)
        if all.contains(text) { return (all, true) }
        guard readOnce() else { return (all, false) }
      }
    }
    try #require(found, "\(text) did not come, only \(all)")
    return all
  }

  private func readOnce() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    received += chunk[..<count]
    return true
  }

  private func on<Result: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { done in queue.async { done.resume(returning: body()) } }
  }
}
