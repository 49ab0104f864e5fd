import Foundation

/// Reads sidecars. Paths are bytes.
///
/// A sidecar that cannot be read is an error of its picture, which would silently be wrong without
/// it.
enum SidecarFile {
  /// The bytes of the file; of one larger than `limit`, more than `limit` bytes.
  static func bytes(_ path: [UInt8], limit: Int) throws(RecipeError) -> [UInt8] {
    let shown = RawNames.shown(path)
    func failure(_ reason: String) -> RecipeError {
      RecipeError(
        .cannotRead,
        "the sidecar cannot be read: \(reason); make it readable or move it away", path: shown)
    }
    guard !path.contains(0) else { throw failure("its name holds a zero byte") }
    // O_NONBLOCK: opening a pipe without a writer would block.
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
