import Containers

/// Names of files as bytes, which need not be UTF-8.
package enum RawNames {
  /// `name` without its extension, and the extension in lower case; nil where it has none.
  static func split(_ name: [UInt8]) -> (stem: [UInt8], ending: String)? {
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0, point + 1 < name.count
    else { return nil }
    return (Array(name[..<point]), String(decoding: lowered(name[(point + 1)...]), as: UTF8.self))
  }

  /// The bytes with ASCII letters in lower case.
  static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// `name` for messages.
  static func shown(_ name: some Sequence<UInt8>) -> String {
    XMPValue.text(String(decoding: Array(name), as: UTF8.self)).summary
  }
}
