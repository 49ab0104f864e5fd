internal import CPOSIX
import Foundation
import SystemPackage

extension Descriptor {
  /// An open file with several owners, closed with the last of them.
  final class Owned: Sendable {
    private let descriptor: Descriptor
    var file: FileDescriptor { descriptor.file }

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }
}

/// Two ends of a stream between processes, over which file descriptors can be passed.
struct SocketEnds: ~Copyable, Sendable {
  let own: Descriptor
  let other: Descriptor

  /// Throws `Errno` where the process has no descriptors left.
  init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    try Errno.check(unsafe cposix_socket_pair(&ends))
    own = Descriptor(FileDescriptor(rawValue: ends[0]))
    other = Descriptor(FileDescriptor(rawValue: ends[1]))
  }
}

extension FileDescriptor {
  /// Writes all of `bytes` to a non-blocking socket and passes `files` with the first bytes, so
  /// that the receiver has the files when it has the last byte. Throws `Errno`, and
  /// `Errno.timedOut` where the receiver does not take everything within `limit`.
  func send(_ bytes: Data, handing files: [FileDescriptor], within limit: Duration) throws {
    let end = ContinuousClock.now + limit
    var rest = bytes
    var left = files[...]
    while let byte = rest.first {
      let time = ContinuousClock.now.duration(to: end)
      guard time > .zero else { throw Errno.timedOut }
      let batch = left.prefix(Int(CPOSIX_FILES)).map(\.rawValue)
      do {
        let count = try BrokenPipe.withoutSignal { () throws -> Int in
          guard !batch.isEmpty else { return try write(rest) }
          let count = unsafe cposix_hand_over(rawValue, byte, batch, Int32(batch.count))
          try Errno.check(Int32(count))
          return count
        }
        rest = rest.dropFirst(count)
        left = left.dropFirst(batch.count)
      } catch Errno.wouldBlock {
        Poll.waitUntilWritable(self, milliseconds: Int32(time / .milliseconds(1)) + 1)
      }
    }
  }

  /// Reads once, as `read(into:)` does, and appends the files that were passed with what was
  /// read. Throws `Errno`.
  func takeOver(into bytes: inout [UInt8], files: inout [Descriptor.Owned]) throws -> Int {
    var taken = [Int32](repeating: -1, count: Int(CPOSIX_FILES))
    var number: Int32 = 0
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe cposix_take_over(rawValue, buffer.baseAddress, buffer.count, &taken, &number)
    }
    if count < 0 { throw Errno(rawValue: errno) }
    for file in taken.prefix(Int(number)) {
      files.append(Descriptor.Owned(Descriptor(FileDescriptor(rawValue: file))))
    }
    return count
  }
}
