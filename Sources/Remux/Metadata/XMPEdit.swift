import HDRRender
import Readers

/// Takes what an XMP packet says of a gain map out of it, or changes it, byte by byte: all else
/// stays as it stands, white space and all.
///
/// Statements are properties in the namespaces hdrgm, HDRGainMap and HDRToneMap, as attributes or
/// elements, with their declarations, and the entries of a gain map in Android's list of pictures
/// (`Container:Directory`); a list of which only the primary is left goes as a whole. A scanner as
/// `XMPProperties` is: what it does not know well enough – a DOCTYPE, tags that do not match,
/// nesting beyond 64 elements – is refused, but only in packets that name one of these namespaces
/// at all.
struct XMPEdit {
  static let statements: Set<String> = [
    "http://ns.adobe.com/hdr-gain-map/1.0/", "http://ns.apple.com/HDRGainMap/1.0/",
    "http://ns.apple.com/HDRToneMap/1.0/",
  ]
  static let container = "http://ns.google.com/photos/1.0/container/"
  static let item = "http://ns.google.com/photos/1.0/container/item/"
  private static let ofList: Set<String> = [container, item]
  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private let packet: [UInt8]
  private var removed: [Range<Int>] = []
  /// Declarations of the list's namespaces, and whether something of them stays.
  private var listDeclarations: [Range<Int>] = []
  private var listUses = 0
  private(set) var gainMapLength: Range<Int>?
  /// Pictures in the list beside the primary and the gain map.
  private(set) var otherPictures = 0
  private(set) var hasList = false

  /// Whether `packet` names a namespace of gain maps or lists of pictures.
  static func concerns(_ packet: [UInt8]) -> Bool {
    let text = String(decoding: packet, as: UTF8.self)
    return (statements.union(ofList)).contains(where: text.contains)
  }

  init(_ packet: [UInt8]) throws(ReadError) {
    self.packet = packet
    guard Self.concerns(packet) else { return }
    try scan()
  }

  /// The packet without statements on gain maps.
  var withoutGainMap: [UInt8] {
    cut(removed + (listUses == 0 ? listDeclarations : []))
  }

  /// The packet with the length of the gain map in its list; nil when the list has none.
  func with(gainMapLength length: Int) -> [UInt8]? {
    guard let range = gainMapLength else { return nil }
    return Array(packet[..<range.lowerBound]) + Array("\(length)".utf8)
      + packet[range.upperBound...]
  }

  /// `packet` with `description`, an `rdf:Description`, behind its own; nil where there is no RDF.
  static func adding(_ description: String, to packet: [UInt8]) -> [UInt8]? {
    let end = Array("</rdf:RDF".utf8)
    guard packet.count >= end.count else { return nil }
    for at in stride(from: packet.count - end.count, through: 0, by: -1)
    where packet[at] == end[0] && packet[at..<at + end.count].elementsEqual(end) {
      return packet[..<at] + Array((description + "\n ").utf8) + packet[at...]
    }
    return nil
  }

  private func cut(_ ranges: [Range<Int>]) -> [UInt8] {
    var out: [UInt8] = []
    var position = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > position { out += packet[position..<range.lowerBound] }
      position = max(position, range.upperBound)
    }
    return out + packet[min(position, packet.count)...]
  }
}

extension XMPEdit {
  private struct Element {
    var name: XMPScanner.Name
    var start: Int
    /// Uses of the list's namespaces before this element.
    var usesBefore: Int
    var semantic: String?
    var length: Range<Int>?
    /// Entries of a list: all, those of gain maps.
    var entries = 0
    var gainMaps = 0
    var others = 0
    /// Statements that go, and attributes and elements that stay.
    var gone = 0
    var kept = 0
  }

  private static let unreadable = ReadError(
    .unsupported,
    "its XMP speaks of a gain map in a way that cannot be edited; save it anew elsewhere")

  private mutating func scan() throws(ReadError) {
    var scanner = XMPScanner(packet)
    var open: [Element] = []
    while let event = try scanner.next() {
      switch event {
      case .open(let tag):
        var element = Element(name: tag.name, start: tag.range.lowerBound, usesBefore: listUses)
        use(tag.name.namespace)
        for attribute in tag.attributes {
          if let declared = attribute.declares {
            if Self.statements.contains(declared) {
              removed.append(attribute.range)
              element.gone += 1
            }
            if Self.ofList.contains(declared) { listDeclarations.append(attribute.range) }
          } else if Self.statements.contains(attribute.name.namespace) {
            removed.append(attribute.range)
            element.gone += 1
          } else {
            if attribute.name != XMPScanner.Name(namespace: Self.rdf, local: "about") {
              element.kept += 1
            }
            use(attribute.name.namespace)
            guard attribute.name.namespace == Self.item else { continue }
            if attribute.name.local == "Semantic" { element.semantic = attribute.value }
            if attribute.name.local == "Length" { element.length = attribute.valueRange }
          }
        }
        open.append(element)
        if tag.isEmpty { close(&open, end: tag.range.upperBound, textStart: tag.range.upperBound) }
      case .close(let tag, let text):
        guard open.last?.name == tag.name else { throw Self.unreadable }
        close(&open, end: tag.range.upperBound, textStart: text)
      }
    }
    guard open.isEmpty else { throw Self.unreadable }
  }

  private mutating func use(_ namespace: String) {
    if Self.ofList.contains(namespace) { listUses += 1 }
  }

  /// Closes the innermost element, whose text, if it has only text, starts at `textStart`.
  private mutating func close(_ open: inout [Element], end: Int, textStart: Int) {
    guard let element = open.popLast() else { return }
    let name = element.name
    let parent = open.count - 1
    let removals = removed.count
    defer {
      if parent >= 0 {
        if removed.count > removals { open[parent].gone += 1 } else { open[parent].kept += 1 }
      }
    }
    if Self.statements.contains(name.namespace) {
      remove(element, end)
    } else if name.namespace == Self.item, parent >= 0 {
      let text = packet[textStart..<end].prefix { $0 != UInt8(ascii: "<") }
      if name.local == "Semantic" { open[parent].semantic = XMLTag.text(Array(text)) }
      if name.local == "Length" { open[parent].length = text.startIndex..<text.endIndex }
    } else if name == XMPScanner.Name(namespace: Self.container, local: "Item"), parent >= 0 {
      open[parent].semantic = element.semantic
      open[parent].length = element.length
    } else if name == XMPScanner.Name(namespace: Self.rdf, local: "li"),
      let kind = element.semantic,
      parent > 0
    {
      // The element around the sequence is the list.
      open[parent - 1].entries += 1
      if kind == "GainMap" {
        gainMapLength = element.length
        open[parent - 1].gainMaps += 1
        remove(element, end)
      } else if kind != "Primary" {
        open[parent - 1].others += 1
      }
    } else if name == XMPScanner.Name(namespace: Self.container, local: "Directory") {
      hasList = true
      otherPictures += element.others
      if element.gainMaps > 0, element.others == 0 { remove(element, end) }
    } else if name == XMPScanner.Name(namespace: Self.rdf, local: "Description"), element.gone > 0,
      element.kept == 0
    {
      // Nothing of it is left.
      remove(element, end)
    }
  }

  private mutating func remove(_ element: Element, _ end: Int) {
    var start = element.start
    while start > 0, [0x20, 0x09, 0x0A, 0x0D].contains(packet[start - 1]) { start -= 1 }
    removed.append(start..<end)
    listUses = min(listUses, element.usesBefore)
  }
}
