import Foundation
import SystemPackage

/// One client of a server: lines in, lines out. Never blocks; a client that does not read its
/// replies is disconnected.
final class ServeConnection {
  let input: FileDescriptor
  private let output: FileDescriptor
  /// The socket; nil for standard input and output, which are not closed.
  private let socket: Descriptor?
  private var lines = LineReader()
  private var unsent = Data()
  private(set) var isOpen = true

  /// The client of standard input and output.
  convenience init() { self.init(.standardInput, .standardOutput, nil) }

  /// A client that has connected.
  convenience init(_ socket: consuming Descriptor) {
    self.init(socket.file, socket.file, socket)
  }

  private init(_ input: FileDescriptor, _ output: FileDescriptor, _ socket: consuming Descriptor?) {
    (self.input, self.output) = (input, output)
    self.socket = socket
    for descriptor in [input, output] {
      descriptor.setNonBlocking()
      descriptor.setCloseOnExec()
    }
  }

  /// The lines received so far; sets `isOpen` at the end of input.
  func read() -> [Data] {
    isOpen = lines.read(from: input)
    var found = lines.all()
    // The last line of a file may lack its line feed.
    if !isOpen, !lines.rest.isEmpty { found.append(lines.rest) }
    return found
  }

  /// Sends a reply, as far as the client reads; false where it is gone or too slow.
  func send(_ reply: ServeReply) -> Bool {
    guard let line = try? JSONLine.encode(reply) else { return true }
    unsent += line
    return flush()
  }

  /// Sends queued replies, as far as the client reads; false where it is gone or too slow.
  func flush() -> Bool {
    do {
      while hasUnsent {
        let count = try BrokenPipe.withoutSignal { try output.write(unsent) }
        unsent.removeFirst(count)
      }
      return true
    } catch {
      return error as? Errno == .wouldBlock && unsent.count <= BatchLimits.unsentBytes
    }
  }

  /// Whether replies are queued.
  var hasUnsent: Bool { !unsent.isEmpty }

  /// Sends all queued replies at the client's pace, as long as `isWanted`.
  func drain(while isWanted: () -> Bool) {
    while hasUnsent, flush(), hasUnsent, isWanted() {
      Poll.waitUntilWritable(output, milliseconds: 100)
    }
  }
}
