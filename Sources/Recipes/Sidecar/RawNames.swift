import Containers

/// File names as bytes: names need not be text in any encoding.
enum RawNames {
  /// Endings of cameras' own raw formats, in lower case; DNG is not one of them.
  static let proprietary: Set<String> = [
    "3fr", "ari", "arw", "bay", "cap", "cr2", "cr3", "crw", "dcr", "dcs", "drf", "eip", "erf",
    "fff",
    "gpr", "iiq", "k25", "kdc", "mdc", "mef", "mos", "mrw", "nef", "nrw", "orf", "pef", "ptx",
    "pxn",
    "raf", "raw", "rw2", "rwl", "rwz", "sr2", "srf", "srw", "x3f",
  ]

  /// `name` up to its last point, and what follows in lower case; nil without a point inside.
  static func split(_ name: [UInt8]) -> (stem: [UInt8], ending: String)? {
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0, point + 1 < name.count
    else { return nil }
    return (Array(name[..<point]), String(decoding: lowered(name[(point + 1)...]), as: UTF8.self))
  }

  /// ASCII letters in lower case, all else as it is.
  static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// `name` for a message.
  static func shown(_ name: some Sequence<UInt8>) -> String {
    XMPValue.text(String(decoding: Array(name), as: UTF8.self)).summary
  }
}
