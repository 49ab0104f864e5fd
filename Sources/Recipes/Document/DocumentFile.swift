import Formats
import Foundation

/// Reads and writes files of recipes. Paths are bytes: names of files need not be UTF-8.
package enum DocumentFile {
  /// The bytes of the file; nil where it does not exist. Throws where it cannot be read, is not a
  /// regular file, or is too large.
  package static func bytes(_ path: [UInt8]) throws(RecipeError) -> [UInt8]? {
    let bytes: [UInt8]
    do { bytes = try SmallFile.bytes(path, limit: RecipeLimits.documentBytes) } catch {
      switch error {
      // No file has such a name.
      case .zeroByte, .system(ENOENT), .system(ENOTDIR), .system(ENAMETOOLONG): return nil
      case .notRegular:
        throw RecipeError(
          .cannotRead, "this is no ordinary file; name a recipe in YAML or JSON", path: path.text)
      case .system(let number):
        let reason = unsafe String(cString: strerror(number))
        throw RecipeError(
          .cannotRead, "the file cannot be read (\(reason)); make it readable or remove it",
          path: path.text)
      }
    }
    guard bytes.count <= RecipeLimits.documentBytes else { throw tooLarge(path.text) }
    return bytes
  }

  /// The path without links, `.` and `..`; nil where no file exists.
  package static func resolved(_ path: [UInt8]) -> [UInt8]? {
    // `realpath` allocates its result, which ends with a NUL.
    guard !path.contains(0), let found = unsafe realpath(path.cString, nil) else { return nil }
    defer { unsafe free(found) }
    return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  /// The absolute path; links are not resolved.
  package static func absolute(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    if parts.contains(Array("..".utf8)[...]), let real = resolved(path) { return real }
    let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    if path.first == UInt8(ascii: "/") { return [UInt8(ascii: "/")] + joined }
    let here = resolved(Array(".".utf8)) ?? [UInt8(ascii: "/")]
    return joined.isEmpty ? here : here.joinedPath(joined)
  }

  /// Writes a new file, completely or not at all.
  package static func create(_ text: String, at path: [UInt8]) throws(RecipeError) {
    guard try writing(path, { try AtomicFile.create(Array(text.utf8), at: path) }) else {
      throw RecipeError(.exists, "exists already; it is not changed", path: path.text)
    }
  }

  static func create(_ text: String, at path: String) throws(RecipeError) {
    try create(text, at: Array(path.utf8))
  }

  /// Replaces a file, completely or not at all.
  package static func replace(_ path: [UInt8], with text: String) throws(RecipeError) {
    try writing(path) {
      try AtomicFile.write(to: path) { descriptor in
        try AtomicFile.append(Array(text.utf8), to: descriptor, path: path.text)
      }
    }
  }

  /// The same, where the file still holds `bytes` when the new one is complete. Returns false, and
  /// changes nothing, where another program wrote it meanwhile.
  package static func replace(
    _ path: [UInt8], of bytes: [UInt8], with text: String
  ) throws(RecipeError) -> Bool {
    try writing(path) {
      try AtomicFile.replace(Array(text.utf8), at: path) { (try? Self.bytes(path)) == bytes }
    }
  }

  static func replace(_ path: String, with text: String) throws(RecipeError) {
    try replace(Array(path.utf8), with: text)
  }

  private static func writing<R>(
    _ path: [UInt8], _ body: () throws -> R
  ) throws(RecipeError) -> R {
    do { return try body() } catch {
      throw RecipeError(
        .cannotWrite, (error as? WriteError)?.message ?? "\(error)", path: path.text)
    }
  }

  static func tooLarge(_ path: String?) -> RecipeError {
    RecipeError(
      .malformed,
      "the file is larger than 1 MiB, which no recipe is; name a recipe in YAML or JSON",
      path: path)
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

  fileprivate var cString: [CChar] { map(CChar.init(truncatingIfNeeded:)) + [0] }
}
