import Containers

/// Names of files as bytes, which need not be UTF-8.
package enum RawNames {
  /// Extensions of cameras' own raw formats and of DNG, in lower case.
  package static let extensions: Set<String> = [
    "3fr", "ari", "arw", "bay", "cap", "cr2", "cr3", "crw", "cs1", "dc2", "dcr", "dcs", "dng",
    "drf", "dsc", "eip", "erf", "fff", "gpr", "iiq", "k25", "kdc", "mdc", "mef", "mfw", "mos",
    "mrw", "nef", "nrw", "orf", "ori", "pef", "ptx", "pxn", "qtk", "r3d", "raf", "raw", "rdc",
    "rw2", "rwl", "rwz", "sr2", "srf", "srw", "sti", "x3f",
  ]

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
