import Batch
import Develop
import ImageCore
import SystemPackage

/// The identity of a picture: its path below the opened folder, and the file. A path alone would be
/// that of another picture once files are renamed, and the index in a list once one is added.
///
/// Both are digests, so that no request holds a path: an identity only finds what the folder lists.
package struct PictureID: Sendable, Hashable {
  /// Of the path below the folder.
  let path: UInt64
  /// Of the file: its number in the file system, its length and its modification time, all of which
  /// a copy that replaces it has otherwise.
  let file: UInt64

  /// The identity of the raw at `relative`, below the opened folder, whose file has `status`; nil
  /// if missing.
  init(_ relative: FilePath, _ status: FileStatus?) {
    self.init(path: Self.path(relative), file: Self.file(status))
  }

  private init(path: UInt64, file: UInt64) { (self.path, self.file) = (path, file) }

  /// The half that identifies the path.
  static func path(_ relative: FilePath) -> UInt64 { half(relative.bytes) }

  /// The half that identifies the file.
  static func file(_ status: FileStatus?) -> UInt64 {
    status.map { half(Array("\($0.inode) \($0.bytes) \($0.changed)".utf8)) } ?? 0
  }

  private static func half(_ bytes: [UInt8]) -> UInt64 {
    UInt64(Digest.of(bytes).prefix(16), radix: 16) ?? 0
  }
}

extension PictureID: LosslessStringConvertible, Codable {
  /// Two numbers of 16 hexadecimal digits.
  package var description: String { "\(path.hexadecimal)-\(file.hexadecimal)" }

  /// Reads ``description``, and nothing else.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let path = UInt64(parts[0], radix: 16),
      let file = UInt64(parts[1], radix: 16)
    else { return nil }
    self.init(path: path, file: file)
    guard description == text else { return nil }
  }

  /// Reads the text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = PictureID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "this is not a picture identity")
    }
    self = id
  }

  /// Writes the text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
