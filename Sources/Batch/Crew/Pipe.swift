import Foundation

/// A pipe that no other program inherits.
enum Pipe {
  /// Both ends; nil where the process has no descriptors left.
  static func make() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
