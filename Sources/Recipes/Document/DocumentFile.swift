import Foundation

/// Reads files of recipes. Paths are bytes: names of files need not be UTF-8.
enum DocumentFile {
  /// Larger files are refused.
  static let maxBytes = 1 << 20

  /// The bytes of the file; nil where there is none. Throws where it cannot be read, is no regular
  /// file, or is too large.
  static func bytes(_ path: [UInt8]) throws(RecipeError) -> [UInt8]? {
    guard !path.contains(0) else { return nil }
    // O_NONBLOCK: opening a pipe without a writer would block.
    let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      // No file has a name that is too long.
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw refusal(errno, path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw refusal(errno, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RecipeError(
        .cannotRead, "this is no ordinary file; name a recipe in YAML or JSON", path: path.text)
    }
    guard status.st_size <= maxBytes else { throw tooLarge(path.text) }
    var bytes = [UInt8](repeating: 0, count: maxBytes + 1)
    var count = 0
    while count < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw refusal(errno, path) }
      if got == 0 { break }
      count += got
    }
    guard count <= maxBytes else { throw tooLarge(path.text) }
    return Array(bytes[..<count])
  }

  /// The path without links, `.` and `..`; nil where nothing is there.
  static func resolved(_ path: [UInt8]) -> [UInt8]? {
    // `realpath` allocates its result, which ends with a NUL.
    guard !path.contains(0), let found = unsafe realpath(path.cString, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  /// The absolute path; links are kept.
  static func absolute(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    if parts.contains(Array("..".utf8)[...]), let real = resolved(path) { return real }
    let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    if path.first == UInt8(ascii: "/") { return [UInt8(ascii: "/")] + joined }
    let here = resolved(Array(".".utf8)) ?? [UInt8(ascii: "/")]
    return joined.isEmpty ? here : here.joinedPath(joined)
  }

  /// Writes a file, completely or not at all; `replaces`: whether one may be there already.
  static func write(_ text: String, to path: String, replaces: Bool) throws(RecipeError) {
    do {
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: path), options: replaces ? .atomic : .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw RecipeError(.exists, "is there already; it is left alone", path: path)
    } catch {
      throw RecipeError(
        .cannotWrite, "cannot write the file: \(error.localizedDescription)", path: path)
    }
  }

  static func tooLarge(_ path: String?) -> RecipeError {
    RecipeError(
      .malformed,
      "the file is larger than 1 MiB, which no recipe is; name a recipe in YAML or JSON",
      path: path)
  }

  private static func refusal(_ number: Int32, _ path: [UInt8]) -> RecipeError {
    let reason = unsafe String(cString: strerror(number))
    return RecipeError(
      .cannotRead, "the file cannot be read (\(reason)); make it readable or remove it",
      path: path.text)
  }
}

extension [UInt8] {
  /// The text for messages: bytes that are no UTF-8 become U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The path of `name` in this folder; an absolute `name` is returned as it is.
  func joinedPath(_ name: [UInt8]) -> [UInt8] {
    if name.first == UInt8(ascii: "/") || isEmpty { return name }
    return self + (last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  /// The folder of this path; nil for the root.
  var folder: [UInt8]? {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    if slash == 0 { return count == 1 ? nil : [UInt8(ascii: "/")] }
    return Array(self[..<slash])
  }

  fileprivate var cString: [CChar] { map(CChar.init(bitPattern:)) + [0] }
}
