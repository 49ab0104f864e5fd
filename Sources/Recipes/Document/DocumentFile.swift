import Foundation

/// Reads the small files that recipes stand in. Paths are bytes: names of files need not be UTF-8.
enum DocumentFile {
  /// No recipe is larger.
  static let maxBytes = 1 << 20

  /// The bytes of the file; nil where there is none. What is there and cannot be read is an error.
  static func bytes(_ path: [UInt8]) throws(RecipeError) -> [UInt8]? {
    guard !path.contains(0) else { return nil }
    // A pipe without a writer must not hold this up.
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      // A name that is too long for any file is that of none.
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw refusal(errno, path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(errno, path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RecipeError(
        .cannotRead, "this is no ordinary file; name a recipe in YAML or JSON", path: path.text)
    }
    guard status.st_size <= maxBytes else { throw tooLarge(path.text) }
    var bytes = [UInt8](repeating: 0, count: maxBytes + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw refusal(errno, path) }
      if got == 0 { break }
      count += got
    }
    guard count <= maxBytes else { throw tooLarge(path.text) }
    return Array(bytes[..<count])
  }

  /// The path without links, `.` and `..`; nil where it leads nowhere.
  static func resolved(_ path: [UInt8]) -> [UInt8]? {
    guard !path.contains(0), let found = path.withCPath({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  /// The path from the root; links stay as they are named.
  static func absolute(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    if parts.contains(Array("..".utf8)[...]), let real = resolved(path) { return real }
    let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    if path.first == UInt8(ascii: "/") { return [UInt8(ascii: "/")] + joined }
    let here = resolved(Array(".".utf8)) ?? [UInt8(ascii: "/")]
    return joined.isEmpty ? here : here.joinedPath(joined)
  }

  static func tooLarge(_ path: String?) -> RecipeError {
    RecipeError(
      .malformed,
      "the file is larger than 1 MiB, which no recipe is; name a recipe in YAML or JSON",
      path: path)
  }

  private static func refusal(_ number: Int32, _ path: [UInt8]) -> RecipeError {
    let reason = String(cString: strerror(number))
    return RecipeError(
      .cannotRead, "the file cannot be read (\(reason)); make it readable or take it away",
      path: path.text)
  }
}

extension [UInt8] {
  /// For messages: bytes that are no UTF-8 become U+FFFD.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// The path `name` within this folder; an absolute `name` stays as it is.
  func joinedPath(_ name: [UInt8]) -> [UInt8] {
    if name.first == UInt8(ascii: "/") || isEmpty { return name }
    return self + (last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
  }

  /// The folder that holds this path; nil for the root.
  var folder: [UInt8]? {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    if slash == 0 { return count == 1 ? nil : [UInt8(ascii: "/")] }
    return Array(self[..<slash])
  }

  fileprivate func withCPath<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    (self + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        // Never empty: the closing 0 is there.
        chars.baseAddress.map(body) ?? "".withCString(body)
      }
    }
  }
}
