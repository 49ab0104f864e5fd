/// The part of an XMP packet that did not fit into one segment of a JPEG.
///
/// Source: Adobe XMP specification part 3, 1.1.3.1. The packet names the extension by the MD5 of
/// its bytes, 32 hexadecimal digits; each portion carries that name, the total length and its own
/// offset. Portions may come in any order. Memory is allocated for the data in the file, never for
/// the declared length, and at most 64 MiB. The MD5 is not checked.
package enum ExtendedXMP {
  private static let nameLength = 32

  /// `packet` with the descriptions of its extension after its own, and without the extension's
  /// name. The portions are in `ranges` of `file`. Returns `packet` itself when it names no
  /// extension, a portion is missing, or one of the two has no RDF with the usual prefix.
  package static func joined(
    _ packet: [UInt8], _ ranges: [Range<Int>], in file: FileBytes
  ) -> [UInt8] {
    guard !ranges.isEmpty else { return packet }
    let tree = XMLTree(packet, .lenient, limits: file.limits)
    guard let name = XMPPacket(tree)[.hasExtendedXMP]?.text, name.utf8.count == nameLength,
      let bytes = bytes(name, ranges, file)
    else { return packet }
    let more = XMLTree(bytes, .lenient, limits: file.limits)
    guard let content = more.rdfContent, let rdf = more.rdf,
      // Other declarations would be lost with the element.
      more.elements[rdf].attributes.allSatisfy({
        !$0.isDeclaration || more.value($0).isSame(as: XMPNamespace.rdf.uri)
      })
    else { return packet }
    var editor = XMPEditor(tree)
    guard editor.append(bytes[content]) else { return packet }
    for attribute in tree.elements.flatMap(\.attributes) where attribute.name == .hasExtendedXMP {
      // With one byte of white space: the indentation of the others stays.
      editor.replace(attribute.range.lowerBound - 1..<attribute.range.upperBound, with: [])
    }
    return editor.bytes
  }

  /// The complete extension `name`; nil when a portion is missing.
  private static func bytes(
    _ name: String, _ ranges: [Range<Int>], _ file: FileBytes
  ) -> [UInt8]? {
    let header = nameLength + 8
    var portions: [(offset: Int, range: Range<Int>)] = []
    var total = 0
    for range in ranges where range.count > header && file.matches(name, at: range.lowerBound) {
      let numbers = range.lowerBound + nameLength
      guard let length = file.integer(UInt32.self, at: numbers, bigEndian: true),
        let offset = file.integer(UInt32.self, at: numbers + 4, bigEndian: true)
      else { continue }
      total = Int(length)
      portions.append((Int(offset), range.dropFirst(header)))
    }
    guard total <= FormatLimits.blockBytes else { return nil }
    var bytes: [UInt8] = []
    for portion in portions.sorted(by: { $0.offset < $1.offset })
    where portion.offset >= bytes.count {
      guard portion.offset == bytes.count,
        let more = file.bytes(portion.range.lowerBound, portion.range.count)
      else { return nil }
      bytes += more
    }
    return bytes.isEmpty || bytes.count != total ? nil : bytes
  }
}
