import NIOCore
import Synchronization

/// The connections that are open, to end them all: a client that does not close its side would hold
/// up the end of the server for as long as it likes.
final class OpenConnections: Sendable {
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  fileprivate func add(_ channel: any Channel) {
    channels.withLock { $0[ObjectIdentifier(channel)] = channel }
    channel.closeFuture.whenComplete { _ in
      self.channels.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
  }

  /// Closes all.
  func close() {
    for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
  }
}

/// Enters its connection.
final class ConnectionEntry: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never

  private let connections: OpenConnections

  init(_ connections: OpenConnections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) { connections.add(context.channel) }
}
