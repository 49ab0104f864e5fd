import Foundation
import SystemPackage

/// Reads lines from a descriptor.
struct LineReader {
  private var lines = LineSplitter(maxLength: BatchLimits.messageBytes)
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// Reads once, up to 64 KiB, blocking only if the descriptor does; false at the end, on failure
  /// and after 64 MiB without a line feed.
  mutating func read(from descriptor: FileDescriptor) -> Bool {
    do {
      let count = try descriptor.read(into: &chunk)
      guard count > 0, lines.count + count <= lines.maxLength else { return false }
      lines.append(chunk[..<count])
    } catch {
      return error as? Errno == .wouldBlock
    }
    return true
  }

  /// The same, also receiving file descriptors sent with the bytes, which are appended to `files`.
  mutating func read(from descriptor: FileDescriptor, files: inout [Descriptor.Owned]) -> Bool {
    do {
      let count = try descriptor.takeOver(into: &chunk, files: &files)
      guard count > 0, lines.count + count <= lines.maxLength else { return false }
      lines.append(chunk[..<count])
    } catch {
      return error as? Errno == .wouldBlock
    }
    return true
  }

  /// The next complete line without its line feed; nil where no line is complete yet.
  mutating func next() -> Data? { lines.next()?.bytes }

  /// The complete lines that were not returned.
  mutating func all() -> [Data] {
    var found: [Data] = []
    while let line = next() { found.append(line) }
    return found
  }

  /// The bytes after the last complete line.
  var rest: Data { lines.last()?.bytes ?? Data() }
}
