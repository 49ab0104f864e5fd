internal import CPOSIX
import Develop
import Foundation
import SystemPackage

/// A listening Unix socket. One that is made here is accessible only to its owner and is removed
/// with this value.
final class ServeSocket {
  private let path: FilePath
  private let socket: UnixSocket
  /// Whether the file was created by this value.
  private var isBound = false

  /// Listens at `path`; replaces the socket of a server that is gone. Throws ``BatchError``.
  init(_ path: FilePath) throws(BatchError) {
    self.path = path
    guard let socket = UnixSocket(path), let probe = UnixSocket(path) else {
      throw BatchError(.badSetting, "the path of a socket has at most 107 bytes", path: path)
    }
    self.socket = socket
    // A client may be gone again before it is accepted.
    descriptor.setNonBlocking()
    if let status = FileStatus(path) {
      guard status.kind == .socket else {
        throw BatchError(.cannotWrite, "exists and is not a socket; name another", path: path)
      }
      do {
        try probe.connect()
        throw BatchError(.cannotWrite, "a server listens there already", path: path)
      } catch let error as BatchError {
        throw error
      } catch {
        if error as? Errno == .connectionRefused { Folders.remove(path) }
      }
    }
    let mask = umask(0o177)
    defer { umask(mask) }
    do {
      try self.socket.bind()
      isBound = true
      try self.socket.listen()
    } catch {
      throw BatchError(.cannotWrite, "cannot listen: \(error)", path: path)
    }
  }

  /// The socket that systemd has this process listen at, see sd_listen_fds(3); nil
  /// without one.
  init?(inheritedIn environment: [String: String]) {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
      environment["LISTEN_FDS"] == "1"
    else { return nil }
    path = FilePath()
    socket = UnixSocket(listening: FileDescriptor(rawValue: 3))
    descriptor.setNonBlocking()
  }

  deinit { if isBound { Folders.remove(path) } }

  /// Readable when a client waits.
  var descriptor: FileDescriptor { socket.descriptor.file }

  /// How many clients may be connected at a time, for a limit of `openFiles`: a quarter of
  /// them is left for outputs, and four for each of `jobs` workers.
  static func maxClients(besides jobs: Int, openFiles: Int = Int(cposix_open_files())) -> Int {
    max(1, min(4096, openFiles / 4 * 3 - 4 * jobs))
  }

  /// The next waiting client; nil where no client waits.
  func accept() -> ServeConnection? {
    guard let client = socket.accept() else { return nil }
    return ServeConnection(client)
  }
}
