import Foundation

/// Reads a recipe or a sidecar. Paths are bytes: names of files need not be UTF-8.
enum SmallFile {
  /// Why a file cannot be read.
  enum Failure: Error {
    /// Its path holds a zero byte.
    case zeroByte
    /// A folder, a pipe, a device.
    case notRegular
    /// The error number of the system.
    case system(Int32)
  }

  /// The bytes of the file; of one larger than `limit`, more than `limit` bytes.
  static func bytes(_ path: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard !path.contains(0) else { throw .zeroByte }
    // O_NONBLOCK: opening a pipe without a writer would block.
    let file = unsafe open(
      path.map(CChar.init(truncatingIfNeeded:)) + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .system(errno) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { break }
      bytes += part[..<count]
    }
    return bytes
  }
}
