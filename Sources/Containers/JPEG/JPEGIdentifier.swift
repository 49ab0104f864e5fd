/// The identifiers with which application segments of a JPEG begin.
package enum JPEGIdentifier: Sendable {
  /// Version, density, thumbnail (ITU-T T.871).
  case jfif
  /// A TIFF structure (CIPA DC-008).
  case exif
  /// A packet (ISO 16684-3, 1.1.3).
  case xmp
  /// A portion of the data that did not fit into the packet's segment.
  case extendedXMP
  /// A chunk of an ICC profile, after its number and the number of chunks (ICC.1, annex B.4).
  case profile
  /// Versions, or the record of the gain map (ISO 21496-1, annex B).
  case gainMap
  /// The index of pictures in the file, a TIFF structure (CIPA DC-007).
  case pictures
  /// Photoshop's image resources, IPTC's datasets among them.
  case photoshop
  /// A chunk of a JUMBF box (ISO/IEC 19566-5).
  case boxes

  /// The number of the marker.
  package var marker: UInt8 {
    switch self {
    case .jfif: 0xE0
    case .exif, .xmp, .extendedXMP: 0xE1
    case .profile, .gainMap, .pictures: 0xE2
    case .boxes: 0xEB
    case .photoshop: 0xED
    }
  }

  /// With what closes it.
  package var name: String {
    switch self {
    case .jfif: "JFIF\0"
    case .exif: "Exif\0\0"
    case .xmp: XMPNamespace.basic.uri + "\0"
    case .extendedXMP: "http://ns.adobe.com/xmp/extension/\0"
    case .profile: "ICC_PROFILE\0"
    case .gainMap: "urn:iso:std:iso:ts:21496:-1\0"
    case .pictures: "MPF\0"
    case .photoshop: "Photoshop 3.0\0"
    case .boxes: "JP"
    }
  }

  /// The bytes that a segment holds, name and all.
  package static let longest = 65_533
  /// The bytes that a body may have.
  package var longestBody: Int { Self.longest - name.utf8.count }

  /// The complete segment: marker, length, name, `body`, which is at most ``longestBody`` long.
  package func segment(_ body: [UInt8]) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: name.utf8.count + body.count + 2)
    return [0xFF, marker] + length.bytes(bigEndian: true) + Array(name.utf8) + body
  }
}
