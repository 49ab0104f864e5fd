import Foundation
import SystemPackage

/// Waits for descriptors, by `poll`.
enum Poll {
  /// The indices of the `descriptors` that can be read without waiting, or have ended. Waits for
  /// the first of them, `milliseconds` at most.
  static func readable(_ descriptors: [FileDescriptor], milliseconds: Int32) -> [Int] {
    wait(descriptors, for: POLLIN, milliseconds)
  }

  /// Waits until `descriptor` can be written or is closed at its other end, `milliseconds` at most.
  static func waitUntilWritable(_ descriptor: FileDescriptor, milliseconds: Int32) {
    _ = wait([descriptor], for: POLLOUT, milliseconds)
  }

  private static func wait(
    _ descriptors: [FileDescriptor], for event: Int32, _ milliseconds: Int32
  ) -> [Int] {
    var polls = descriptors.map { pollfd(fd: $0.rawValue, events: Int16(event), revents: 0) }
    guard unsafe poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return [] }
    return polls.indices.filter { polls[$0].revents != 0 }
  }
}
