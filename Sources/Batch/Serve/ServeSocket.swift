import Develop
import Foundation
import SystemPackage

/// A listening Unix socket with permissions for its owner alone. Removed with this value.
final class ServeSocket {
  let descriptor: Int32
  private let path: FilePath
  /// Whether the file was created by this value.
  private var isBound = false

  /// Listens at `path`; replaces the socket of a server that is gone. Throws ``BatchError``.
  init(_ path: FilePath) throws(BatchError) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.bytes
    let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      buffer.copyBytes(from: bytes)
      return true
    }
    guard isFitting, descriptor >= 0 else {
      throw BatchError(.badSetting, "the path of a socket has at most 107 bytes", path: path)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // A client may be gone again before it is accepted.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      withUnsafePointer(to: &address) { start in
        start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    if let status = FileStatus(path) {
      guard status.kind == .socket else {
        throw BatchError(.cannotWrite, "is there and no socket; name another", path: path)
      }
      let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(probe) }
      if withAddress({ connect(probe, $0, $1) }) == 0 {
        throw BatchError(.cannotWrite, "a server listens there already", path: path)
      }
      if errno == ECONNREFUSED { Folders.remove(path) }
    }
    let mask = umask(0o177)
    let result = withAddress { bind(descriptor, $0, $1) }
    umask(mask)
    isBound = result == 0
    guard isBound, listen(descriptor, 64) == 0 else {
      throw BatchError(.cannotWrite, "cannot listen: \(BatchError.reason())", path: path)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if isBound { Folders.remove(path) }
  }

  /// The next waiting client; nil where there is none.
  func accept() -> ServeConnection? {
    let client = Foundation.accept(descriptor, nil, nil)
    return client >= 0 ? ServeConnection(input: client, output: client) : nil
  }
}
