import ImageCore

/// Content credentials: a C2PA manifest, which says who made a picture and how, and signs the bytes
/// of its file (C2PA 2.1, appendix A). Files derived from it do not keep it, as its signature would
/// be invalid. Only its presence is detected; signatures are not verified.
package enum ContentCredentials {
  /// The note for a file with a manifest.
  package static let note =
    "it has content credentials (C2PA), which sign the bytes of this very file: pictures that are "
    + "made of it have none"

  private static let uuid: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]

  /// Whether a box `jumb` (ISO/IEC 19566-5) at `offset` of `file` holds some: its description says
  /// so by its first four letters.
  package static func areInBox(at offset: Int, of file: FileBytes) -> Bool {
    file.matches("jumb", at: offset + 4) && file.matches("jumd", at: offset + 12)
      && file.matches("c2pa", at: offset + 16)
  }

  /// Whether one of the outer boxes of an ISO base media file or a JPEG XL has some.
  package static func areInBoxes(of file: FileBytes) -> Bool {
    var position = 0
    for _ in 0..<file.limits.maxItems {
      guard let box = file.box(at: position) else { return false }
      switch box.type {
      case "uuid" where file.bytes(box.content.lowerBound, uuid.count) == uuid: return true
      case "jumb" where areInBox(at: box.range.lowerBound, of: file): return true
      default: position = box.range.upperBound
      }
    }
    return false
  }
}
