internal import CPOSIX
import Develop
import Foundation
import SystemPackage

/// A stream socket and the path of a Unix socket, to listen at or to connect to.
struct UnixSocket: ~Copyable {
  let descriptor: Descriptor
  private let address: sockaddr_un

  /// A socket that is neither bound nor connected; programs that this process starts do not inherit
  /// it. Nil for a path of over 107 bytes, or where the process has no descriptors left.
  init?(_ path: FilePath) {
    let bytes = path.bytes
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isFitting = unsafe withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      unsafe buffer.copyBytes(from: bytes)
      return true
    }
    let descriptor = isFitting ? cposix_local_socket() : -1
    guard descriptor >= 0 else { return nil }
    self.descriptor = Descriptor(FileDescriptor(rawValue: descriptor))
    self.address = address
  }

  /// A socket at which another program has this process listen; programs that this process starts
  /// do not inherit it.
  init(listening descriptor: FileDescriptor) {
    descriptor.setCloseOnExec()
    self.descriptor = Descriptor(descriptor)
    address = sockaddr_un()
  }

  /// Connects to the server at the path. Throws `Errno`.
  func connect() throws(Errno) {
    try unsafe call { unsafe Foundation.connect(descriptor.file.rawValue, $0, $1) }
  }

  /// Creates the file at the path. Throws `Errno`.
  func bind() throws(Errno) {
    try unsafe call { unsafe Foundation.bind(descriptor.file.rawValue, $0, $1) }
  }

  /// Lets clients connect. Throws `Errno`.
  func listen() throws(Errno) { try Errno.check(Foundation.listen(descriptor.file.rawValue, 64)) }

  /// The next waiting client; nil where no client waits.
  func accept() -> Descriptor? {
    let client = Foundation.accept(descriptor.file.rawValue, nil, nil)
    return client >= 0 ? Descriptor(FileDescriptor(rawValue: client)) : nil
  }

  private func call(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Errno) {
    let result = unsafe withUnsafePointer(to: address) { start in
      unsafe start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try Errno.check(result)
  }
}
