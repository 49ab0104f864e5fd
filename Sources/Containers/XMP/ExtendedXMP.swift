/// The part of an XMP packet that did not fit into one segment of a JPEG.
///
/// Source: Adobe XMP specification part 3, 1.1.3.1. The packet names the extension by the MD5 of
/// its bytes, 32 hexadecimal digits; each piece carries that name, the length of the whole and its
/// own place in it. Pieces may come in any order. Memory is taken for what stands in the file,
/// never for the length that it claims, and at most 64 MiB of it. The name is not computed anew.
package struct ExtendedXMP {
  private static let maxBytes = 64 << 20
  private static let nameLength = 32

  private let packet: XMLTree
  private let bytes: [UInt8]

  /// The extension that `packet` names, of the pieces that stand in `ranges` of `file`; nil when it
  /// names none or a part of it is missing.
  package init?(of packet: [UInt8], _ ranges: [Range<Int>], in file: FileBytes) {
    guard !ranges.isEmpty else { return nil }
    let tree = XMLTree(packet, .lenient)
    guard let name = XMPPacket(tree)[.hasExtendedXMP]?.text,
      name.utf8.count == Self.nameLength
    else { return nil }
    let head = Self.nameLength + 8
    var pieces: [(place: Int, range: Range<Int>)] = []
    var total = 0
    for range in ranges where range.count > head && file.matches(name, at: range.lowerBound) {
      let numbers = range.lowerBound + Self.nameLength
      guard let whole = file.integer(UInt32.self, at: numbers, bigEndian: true),
        let place = file.integer(UInt32.self, at: numbers + 4, bigEndian: true)
      else { continue }
      total = Int(whole)
      pieces.append((Int(place), range.dropFirst(head)))
    }
    guard total <= Self.maxBytes else { return nil }
    var bytes: [UInt8] = []
    for piece in pieces.sorted(by: { $0.place < $1.place }) where piece.place >= bytes.count {
      guard piece.place == bytes.count,
        let more = file.bytes(piece.range.lowerBound, piece.range.count)
      else { return nil }
      bytes += more
    }
    guard !bytes.isEmpty, bytes.count == total else { return nil }
    self.packet = tree
    self.bytes = bytes
  }

  /// The packet with the descriptions of the extension behind its own, and without the extension's
  /// name; the packet itself when one of the two has no RDF of the usual spelling.
  package func joined() -> [UInt8] {
    let tree = XMLTree(bytes, .lenient)
    guard let content = tree.rdfContent, let rdf = tree.rdf.map({ tree.elements[$0] }),
      // What it declares holds for the descriptions, which leave it.
      rdf.attributes.allSatisfy({ !$0.isDeclaration || tree.value($0) == XMPNamespace.rdf.uri })
    else { return packet.bytes }
    var editor = XMPEditor(packet)
    guard editor.append(bytes[content]) else { return packet.bytes }
    for element in packet.elements {
      for name in element.attributes where name.name == .hasExtendedXMP {
        // With one byte of white space, so that the others' indentation stays.
        editor.replace((name.range.lowerBound - 1)..<name.range.upperBound, with: [])
      }
    }
    return editor.bytes
  }
}
