import Containers

/// The device in the header of an ICC profile (ICC.1:2022, clause 7.2).
struct ICCHeader {
  /// Signature of the class, as `mntr`.
  private let deviceClass: String
  /// Signature of the color space of the samples, as `RGB`, without spaces.
  let colorSpace: String

  /// Nil for what is no profile, or one whose table of tags does not fit.
  init?(_ bytes: [UInt8]) {
    guard ICCTagTable(bytes) != nil else { return nil }
    deviceClass = String(decoding: bytes[12..<16], as: UTF8.self)
    colorSpace = String(decoding: bytes[16..<20], as: UTF8.self).filter {
      $0.isASCII && ($0.isLetter || $0.isNumber)
    }
  }

  /// Whether it describes samples: of an input, a display, an output or a color space.
  var isOfDevice: Bool { ["scnr", "mntr", "prtr", "spac"].contains(deviceClass) }

  /// Its class for people.
  var classText: String {
    switch deviceClass {
    case "link": "a device link"
    case "abst": "an abstract effect"
    case "nmcl": "named colors"
    default: "another kind"
    }
  }
}
