import Develop
package import Formats
package import Foundation
package import SystemPackage

extension AtomicFile {
  /// Replaces the file at `path` with what `body` passes to `put`; it is unchanged where anything
  /// throws. Throws ``BatchError/Code/cannotWrite``.
  package static func write(
    to path: FilePath, _ body: (_ put: (Data) throws -> Void) throws -> Void
  ) throws {
    do {
      try write(to: path.bytes) { (descriptor: Int32) in
        try body { data in
          try unsafe data.withUnsafeBytes {
            try unsafe append($0, to: descriptor, path: path.shown)
          }
        }
      }
    } catch let error as WriteError {
      throw BatchError(.cannotWrite, error.message, path: path)
    }
  }
}
