import Foundation
import Synchronization
import Tuning

/// The pages that are open: what each shows, and the events that go to them.
final class Pages: Sendable {
  /// The random text by which a page names itself.
  typealias Name = String

  /// An event for pages.
  enum Event: Sendable, Encodable {
    /// The first one of a connection; `run` differs for each start of the server.
    case hello(run: String)
    /// What bears on an opened picture changed on disk.
    case document(id: PictureID)
    /// The saving state of a picture's edit changed, or it has another step.
    case edit(EditStatus)
    /// The same of many.
    case edits
    /// The folder changed; `count`: its pictures now.
    case pictures(count: Int)
    /// Another page has the picture open.
    case opened(id: PictureID, page: Name)
    /// How far a job is.
    case job(JobState)

    private enum Key: String, CodingKey { case type, run, id, page, count }

    func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: Key.self)
      switch self {
      case .hello(let run):
        try keys.encode("hello", forKey: .type)
        try keys.encode(run, forKey: .run)
      case .document(let id):
        try keys.encode("document", forKey: .type)
        try keys.encode(id, forKey: .id)
      case .edit(let status):
        try keys.encode("edit", forKey: .type)
        try status.encode(to: encoder)
      case .edits: try keys.encode("edits", forKey: .type)
      case .pictures(let count):
        try keys.encode("pictures", forKey: .type)
        try keys.encode(count, forKey: .count)
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
    var visible: [Name: PictureID] = [:]

    func isConnected(_ page: Name) -> Bool { connections.values.contains { $0.page == page } }
  }

  private let state = Mutex(State())
  private let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// The events for `page` from now on: first its current state, with `jobs`. Ends with
  /// ``finish()``, or when nobody reads it.
  func connect(_ page: Name, jobs: [JobState]) -> AsyncStream<String> {
    let (stream, messages) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingOldest(TuningLimits.queuedEvents))
    let number = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.next += 1
      state.connections[state.next] = Connection(page: page, messages: messages)
      messages.yield(Event.hello(run: run).message)
      if let id = state.visible[page] {
        for (other, picture) in state.visible
        where other != page && picture == id && state.isConnected(other) {
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
      state.visible[page] = nil
    }
  }

  /// Sends an event to all pages.
  func send(_ event: Event) {
    let message = event.message
    let late = state.withLock { state in
      state.connections.values.filter {
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

  /// `page` displays the picture `id` from now on: all pages that display it are notified of each
  /// other.
  func show(_ id: PictureID, in page: Name) {
    state.withLock { state in
      if state.visible.count < TuningLimits.pages { state.visible[page] = id }
      let others = state.visible.filter { $0.key != page && $0.value == id }.map(\.key)
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
