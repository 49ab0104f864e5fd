import Foundation
import SystemPackage

/// A pipe that no other program inherits.
enum Pipe {
  /// Both ends; nil where the process has no descriptors left.
  static func make() -> (read: Int32, write: Int32)? {
    // In one step: a program that another thread starts in between would keep them open.
    guard let ends = try? FileDescriptor.pipe(options: .closeOnExec) else { return nil }
    return (ends.readEnd.rawValue, ends.writeEnd.rawValue)
  }
}
