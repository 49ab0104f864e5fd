package import Foundation

extension JSONEncoder {
  /// An encoder by which equal recipes have equal texts, in all versions: keys are sorted, and
  /// settings have their original names. IDs of files and journals are derived from such texts,
  /// and a renamed setting makes no new picture.
  package static func canonical() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    if let key = CodingUserInfoKey.canonicalText { encoder.userInfo[key] = true }
    return encoder
  }
}

extension CodingUserInfoKey {
  static let canonicalText = CodingUserInfoKey(rawValue: "canonicalText")
}
