import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The connections that are open, to end them all: a client that does not close its side would hold
/// up the end of the server for as long as it likes.
///
/// A connection is a stranger until it shows, by a request with the cookie, token or password, that
/// it is authorized. Strangers have a small limit, where new ones replace the oldest, and little
/// time, so that they cannot lock anyone out.
final class OpenConnections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The oldest first.
    var strangers: [ObjectIdentifier] = []
    var isClosed = false
  }
  private let state = Mutex(State())

  /// How long one may be a stranger.
  private static let patience = TimeAmount.seconds(20)

  fileprivate func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let oldest = state.withLock { state -> (any Channel)? in
      guard !state.isClosed else { return channel }
      state.channels[id] = channel
      state.strangers.append(id)
      guard state.strangers.count > TuningLimits.strangers else { return nil }
      let first = state.strangers.removeFirst()
      return state.channels[first]
    }
    oldest?.close(promise: nil)
    let deadline = channel.eventLoop.scheduleTask(in: Self.patience) {
      let isStranger = self.state.withLock { $0.strangers.contains(id) }
      if isStranger { channel.close(promise: nil) }
    }
    channel.closeFuture.whenComplete { _ in
      deadline.cancel()
      self.state.withLock { state in
        state.channels[id] = nil
        state.strangers.removeAll { $0 == id }
      }
    }
  }

  /// The connection may ask.
  func admit(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { $0.strangers.removeAll { $0 == id } }
  }

  /// Closes all connections, including future ones.
  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.close(promise: nil) }
  }
}

/// Enters its connection.
final class ConnectionEntry: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never

  private let connections: OpenConnections

  init(_ connections: OpenConnections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) { connections.add(context.channel) }
}

/// HTTP whose connections are held until they are closed: NIO traps where one is dropped open, as a
/// server that ends would do with accepted connections that no task has taken over yet.
struct HeldHTTPChannel: ServerChildChannel {
  let http: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).map { connection in
      channel.closeFuture.whenComplete { _ in withExtendedLifetime(connection) {} }
      return connection
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}
