import Foundation
import Synchronization

/// The pages that are open: what each shows and has not saved, and the events that go to them.
final class Pages: Sendable {
  /// The random text by which a page names itself.
  typealias Name = String

  /// An event for pages.
  enum Event: Sendable, Encodable {
    /// The first one of a connection; `run` differs for each start of the server.
    case hello(run: String)
    /// A sidecar changed on disk, or was saved by another page.
    case document(id: Int, revision: String)
    /// The folder changed.
    case pictures
    /// Another page has the picture open.
    case opened(id: Int, page: Name)
    /// How far a job is.
    case job(JobState)

    private enum Key: String, CodingKey { case type, run, id, revision, page }

    func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: Key.self)
      switch self {
      case .hello(let run):
        try keys.encode("hello", forKey: .type)
        try keys.encode(run, forKey: .run)
      case .document(let id, let revision):
        try keys.encode("document", forKey: .type)
        try keys.encode(id, forKey: .id)
        try keys.encode(revision, forKey: .revision)
      case .pictures: try keys.encode("pictures", forKey: .type)
      case .opened(let id, let page):
        try keys.encode("opened", forKey: .type)
        try keys.encode(id, forKey: .id)
        try keys.encode(page, forKey: .page)
      case .job(let state):
        try keys.encode("job", forKey: .type)
        try state.encode(to: encoder)
      }
    }

    /// The event as it is sent.
    var message: String {
      let data = (try? Answers.encoder.encode(self)) ?? Data("{}".utf8)
      return "data: \(String(decoding: data, as: UTF8.self))\n\n"
    }
  }

  /// A page that reads events.
  private struct Connection {
    var page: Name
    var messages: AsyncStream<String>.Continuation
  }

  private struct State {
    var next = 0
    var isOver = false
    var connections: [Int: Connection] = [:]
    /// The picture that each page shows.
    var shown: [Name: Int] = [:]
    /// The pictures of each page with changes that it has not saved.
    var unsaved: [Name: Set<Int>] = [:]

    func isConnected(_ page: Name) -> Bool { connections.values.contains { $0.page == page } }
  }

  private let state = Mutex(State())
  private let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// A page that falls back as far as this has to connect again.
  private static let longestQueue = 1024
  /// Pages that are remembered.
  private static let mostPages = 256

  /// The events for `page` from now on: those that tell it where it is come first, with `jobs`.
  /// Ends with ``finish()``, or where nobody reads it.
  func connect(_ page: Name, jobs: [JobState]) -> AsyncStream<String> {
    let (stream, messages) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(Self.longestQueue))
    let number = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.next += 1
      state.connections[state.next] = Connection(page: page, messages: messages)
      messages.yield(Event.hello(run: run).message)
      if let id = state.shown[page] {
        for (other, shown) in state.shown
        where other != page && shown == id && state.isConnected(other) {
          messages.yield(Event.opened(id: id, page: other).message)
        }
      }
      for job in jobs { messages.yield(Event.job(job).message) }
      return state.next
    }
    guard let number else {
      messages.finish()
      return stream
    }
    messages.onTermination = { [weak self] _ in self?.disconnect(number) }
    return stream
  }

  private func disconnect(_ number: Int) {
    state.withLock { state in
      guard let page = state.connections.removeValue(forKey: number)?.page,
        !state.isConnected(page)
      else { return }
      // A page that was closed has nothing to lose any more; one that comes back says it again.
      (state.shown[page], state.unsaved[page]) = (nil, nil)
    }
  }

  /// Sends an event to all pages but `page`.
  func send(_ event: Event, except page: Name? = nil) {
    let message = event.message
    let late = state.withLock { state in
      state.connections.values.filter {
        guard $0.page != page || page == nil else { return false }
        if case .dropped = $0.messages.yield(message) { return true }
        return false
      }
    }
    for connection in late { connection.messages.finish() }
  }

  /// Keeps connections alive.
  func sendNothing() {
    let all = state.withLock { Array($0.connections.values) }
    for connection in all { connection.messages.yield(":\n\n") }
  }

  /// `page` shows the picture `id` from now on: it and others that show it are told of each other.
  func show(_ id: Int, in page: Name) {
    state.withLock { state in
      if state.shown.count < Self.mostPages { state.shown[page] = id }
      let others = state.shown.filter { $0.key != page && $0.value == id }.map(\.key)
      for connection in state.connections.values {
        if others.contains(connection.page) {
          connection.messages.yield(Event.opened(id: id, page: page).message)
        } else if connection.page == page {
          for other in others where state.isConnected(other) {
            connection.messages.yield(Event.opened(id: id, page: other).message)
          }
        }
      }
    }
  }

  /// `page` has changes of these pictures that it has not saved.
  func setUnsaved(_ ids: Set<Int>, in page: Name) {
    state.withLock { state in
      guard state.unsaved.count < Self.mostPages || ids.isEmpty else { return }
      state.unsaved[page] = ids.isEmpty ? nil : ids
    }
  }

  /// Pictures with changes that are not saved.
  var unsaved: Set<Int> {
    state.withLock { $0.unsaved.values.reduce(into: []) { $0.formUnion($1) } }
  }

  /// Whether any page reads events.
  var isAnyConnected: Bool { state.withLock { !$0.connections.isEmpty } }

  /// Ends all connections.
  func finish() {
    let all = state.withLock { state in
      state.isOver = true
      return Array(state.connections.values)
    }
    for connection in all { connection.messages.finish() }
  }
}
