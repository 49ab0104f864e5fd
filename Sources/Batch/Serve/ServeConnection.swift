import Foundation

/// One client of a server: lines in, lines out. Never blocks; a client that does not read its
/// replies is disconnected.
final class ServeConnection {
  let input: Int32
  private let output: Int32
  private var lines = LineReader()
  private var unsent: [UInt8] = []
  private(set) var isOpen = true
  /// Maximum length of replies that wait for a client to read, bytes.
  private static let maxUnsentBytes = 64 << 20

  init(input: Int32, output: Int32) {
    (self.input, self.output) = (input, output)
    for descriptor in Set([input, output]) {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit { for descriptor in Set([input, output]) where descriptor > 2 { close(descriptor) } }

  /// The lines received so far; sets `isOpen` at the end of input.
  func read() -> [[UInt8]] {
    isOpen = lines.read(from: input)
    var found: [[UInt8]] = []
    while let line = lines.next() { found.append(line) }
    // The last line of a file may lack its line feed.
    if !isOpen, !lines.rest.isEmpty { found.append(lines.rest) }
    return found
  }

  /// Sends a reply, as far as the client reads; false where it is gone or too far behind.
  @discardableResult
  func send(_ reply: ServeReply) -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(reply) else { return true }
    unsent += Array(data) + [10]
    return flush()
  }

  /// Sends queued replies, as far as the client reads; false where it is gone or too far behind.
  @discardableResult
  func flush() -> Bool {
    while !unsent.isEmpty {
      let count = BrokenPipe.withoutSignal { Foundation.write(output, unsent, unsent.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return unsent.count <= Self.maxUnsentBytes }
      guard count > 0 else { return false }
      unsent.removeFirst(count)
    }
    return true
  }

  /// Whether replies are queued.
  var hasUnsent: Bool { !unsent.isEmpty }

  /// Sends all queued replies at the client's pace, as long as `isWanted`.
  func drain(while isWanted: () -> Bool) {
    while hasUnsent, flush(), hasUnsent, isWanted() {
      var space = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      _ = poll(&space, 1, 100)
    }
  }
}
