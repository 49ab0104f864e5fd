internal import CPOSIX
import Foundation
import SystemPackage

extension Descriptor {
  /// An open file that several values share, closed with the last of them.
  final class Owned: Sendable {
    private let descriptor: Descriptor
    var file: FileDescriptor { descriptor.file }

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }
}

/// Two ends of a stream between processes, over which open files are handed as well.
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
  /// Writes all of `bytes` to a socket that does not block and hands `files` over with the first of
  /// them, so that the other end has the files when it has the last byte. Throws `Errno`, and
  /// `Errno.timedOut` where the other end does not take everything within `most`.
  func send(_ bytes: Data, handing files: [FileDescriptor], within most: Duration) throws {
    let end = ContinuousClock.now + most
    var rest = bytes
    var left = files[...]
    while let byte = rest.first {
      let time = ContinuousClock.now.duration(to: end)
      guard time > .zero else { throw Errno.timedOut }
      let piece = left.prefix(Int(CPOSIX_FILES)).map(\.rawValue)
      do {
        let count = try BrokenPipe.withoutSignal { () throws -> Int in
          guard !piece.isEmpty else { return try write(rest) }
          let count = unsafe cposix_hand_over(rawValue, byte, piece, Int32(piece.count))
          try Errno.check(Int32(count))
          return count
        }
        rest = rest.dropFirst(count)
        left = left.dropFirst(piece.count)
      } catch Errno.wouldBlock {
        Poll.waitUntilWritable(self, milliseconds: Int32(time / .milliseconds(1)) + 1)
      }
    }
  }

  /// Reads once, as `read(into:)` does, and appends the files that were handed over with what was
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
