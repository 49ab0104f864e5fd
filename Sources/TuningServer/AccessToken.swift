import Foundation
import ImageCore
import SystemPackage

/// The random text by which a browser shows that it was given the address of the server.
struct AccessToken: Sendable {
  /// 128 random bits, 32 hexadecimal digits.
  let text: String

  /// A new token.
  init() {
    text = (0..<2).map { _ in UInt64.random(in: 0...UInt64.max).hexadecimal }.joined()
  }

  /// The token of an earlier server for `folder`, stored in the file at `path` within the last day;
  /// else a new one, stored there for later ones. Without the file, as where it cannot be written,
  /// pages only have to be reopened.
  init(storedAt path: FilePath, folder: FilePath, now: Date = Date()) {
    if let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
      status.permissions.intersection([.groupReadWriteExecute, .otherReadWriteExecute]).isEmpty,
      abs(Double(status.st_mtim.tv_sec) - now.timeIntervalSince1970) < 86_400,
      let stored = Self.stored(path), stored.folder == folder.string
    {
      text = stored.token
    } else {
      text = AccessToken().text
    }
    Self.keep(text, folder, at: path)
  }

  /// Whether `given` is this token. Takes as long whatever differs.
  func matches(_ given: some StringProtocol) -> Bool { ConstantTime.equal(text, given) }

  private static func stored(_ path: FilePath) -> (token: String, folder: String)? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = try? unsafe bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
    try? file.close()
    let lines = String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
      .split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, lines[0].utf8.count == 32,
      lines[0].utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return nil }
    return (String(lines[0]), String(lines[1]))
  }

  private static func keep(_ token: String, _ folder: FilePath, at path: FilePath) {
    let parent = path.removingLastComponent()
    // The folder is ours alone, as well as the file.
    try? FileManager.default.createDirectory(
      atPath: parent.string, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    guard
      let file = try? FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite)
    else { return }
    _ = try? file.writeAll("\(token)\n\(folder.string)".utf8)
    try? file.close()
  }
}

/// Comparison of secrets.
enum ConstantTime {
  /// Whether both texts are equal; how long it takes reveals only the length of `given`.
  static func equal(_ secret: some StringProtocol, _ given: some StringProtocol) -> Bool {
    let (secret, given) = (Array(secret.utf8), Array(given.utf8))
    guard !secret.isEmpty else { return false }
    var difference = secret.count ^ given.count
    for (index, byte) in given.enumerated() {
      difference |= Int(byte ^ secret[index % secret.count])
    }
    return difference == 0
  }
}
