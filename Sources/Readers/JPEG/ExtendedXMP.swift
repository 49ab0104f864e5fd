import Containers
import HDRRender
import ImageCore

/// The part of an XMP packet that did not fit into one segment.
///
/// Source: Adobe XMP specification part 3, 1.1.3.1. The packet names the extension by the MD5 of
/// its bytes, 32 hexadecimal digits; each piece carries that name, the length of the whole and its
/// own place in it. Pieces may come in any order. Memory is taken for what stands in the file,
/// never for the length that it claims, and at most 64 MiB of it. The name is not computed anew.
struct ExtendedXMP {
  private static let mostBytes = 64 << 20
  private static let note = "http://ns.adobe.com/xmp/note/"

  private let name: String
  private let bytes: [UInt8]

  /// The extension that `packet` names; nil when it names none or a part of it is missing.
  init?(of packet: [UInt8], _ image: JPEGSegments) {
    let ranges = image.payloads(.extendedXMP)
    guard !ranges.isEmpty,
      let name = XMPProperties(packet: packet).values(Self.note, "HasExtendedXMP").first,
      name.utf8.count == 32
    else { return nil }
    var pieces: [(place: Int, range: Range<Int>)] = []
    var total = 0
    for range in ranges where range.count > 40 && image.file.matches(name, at: range.lowerBound) {
      guard
        let whole = image.file.integer(UInt32.self, at: range.lowerBound + 32, bigEndian: true),
        let place = image.file.integer(UInt32.self, at: range.lowerBound + 36, bigEndian: true)
      else { continue }
      total = Int(whole)
      pieces.append((Int(place), range.dropFirst(40)))
    }
    guard total <= Self.mostBytes else { return nil }
    var bytes: [UInt8] = []
    for piece in pieces.sorted(by: { $0.place < $1.place }) where piece.place >= bytes.count {
      guard piece.place == bytes.count,
        let more = image.file.bytes(piece.range.lowerBound, piece.range.count)
      else { return nil }
      bytes += more
    }
    guard !bytes.isEmpty, bytes.count == total else { return nil }
    self.name = name
    self.bytes = bytes
  }

  /// `packet` with the descriptions of the extension behind its own, and without the extension's
  /// name; `packet` itself when one of the two has no RDF of the usual spelling.
  func joined(to packet: [UInt8]) -> [UInt8] {
    let close = Array("</rdf:RDF".utf8)
    guard let end = Self.last(close, in: packet[...]), let from = Self.rdfStart(bytes[...]),
      let to = Self.last(close, in: bytes[from...])
    else { return packet }
    return Array(unnamed(packet[..<end]) + bytes[from..<to] + packet[end...])
  }

  /// Behind the tag `rdf:RDF`, which must not declare what the descriptions behind it need.
  private static func rdfStart(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let open = last(Array("<rdf:RDF".utf8), in: bytes),
      let end = bytes[open...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let outside = XMLTag.parts(bytes[(open + 1)..<end]).attributes
    return outside.allSatisfy { !$0.0.hasPrefix("xmlns") || $0.0 == "xmlns:rdf" } ? end + 1 : nil
  }

  /// Without the attribute `HasExtendedXMP`.
  private func unnamed(_ packet: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    for quote in ["\"", "'"] {
      let wanted = Array("HasExtendedXMP=\(quote)\(name)\(quote)".utf8)
      guard let at = Self.last(wanted, in: packet),
        let before = packet[..<at].lastIndex(where: { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 })
      else { continue }
      return packet[..<before] + packet[(at + wanted.count)...]
    }
    return packet
  }

  /// Where `wanted` stands for the last time.
  private static func last(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= wanted.count else { return nil }
    var at = bytes.endIndex - wanted.count
    while at >= bytes.startIndex {
      if bytes[at] == wanted[0], bytes[at..<at + wanted.count].elementsEqual(wanted) { return at }
      at -= 1
    }
    return nil
  }
}
