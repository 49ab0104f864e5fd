import Foundation

/// The bytes of a sidecar whose path is bytes.
///
/// A sidecar that is there but cannot be read is an error of its picture: developed without it, the
/// picture would be wrong, and nobody would know.
enum SidecarFile {
  /// The whole file; at most one byte more than `limit`, so that what is too large can be told.
  static func bytes(_ path: [UInt8], limit: Int) throws(RecipeError) -> [UInt8] {
    let shown = RawNames.shown(path)
    func failure(_ reason: String) -> RecipeError {
      RecipeError(
        .cannotRead,
        "the sidecar cannot be read: \(reason); make it readable or move it away", path: shown)
    }
    guard !path.contains(0) else { throw failure("its name holds a zero byte") }
    // Not blocking: opening a pipe would wait for its writer for ever.
    let file = unsafe open(
      path.map(CChar.init(bitPattern:)) + [0], O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw unsafe failure(String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else {
      throw unsafe failure(String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is no file") }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe read(file, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unsafe failure(String(cString: strerror(errno))) }
      if count == 0 { break }
      bytes += part[..<count]
    }
    return bytes
  }
}
