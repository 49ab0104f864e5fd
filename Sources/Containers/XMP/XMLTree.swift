package import ImageCore

/// The elements and attributes of an XMP packet, each with its byte range, so that an edit leaves
/// all other bytes as they are.
///
/// Source: XML 1.0 and Namespaces in XML 1.0, as far as ISO 16684-1 uses them: no document type,
/// hence no entities except the five predefined ones and character references. Packets are
/// untrusted, so the cost of any input is bounded by its length: exceeding a limit, on elements
/// with their attributes or on their nesting, ends the tree. Values are decoded only when they are
/// requested. Bytes are interpreted as UTF-8.
package struct XMLTree: Sendable {

  /// What counts as a fault.
  package enum Rules: Sendable {
    /// Everything that XML 1.0 and its namespaces call an error.
    case wellFormed
    /// Only what leaves the extent of elements and attributes uncertain: for metadata of pictures.
    /// The prefixes rdf and tiff need no declaration; some raw files have none.
    case lenient
  }

  package struct Attribute: Sendable {
    package let name: XMPName
    /// From its name to the closing quote.
    package let range: Range<Int>
    /// Between the quotes.
    package let value: Range<Int>
    /// Whether it declares a namespace, whose URI is its value.
    package let isDeclaration: Bool
  }

  package struct Element: Sendable {
    package let name: XMPName
    package let parent: Int?
    /// 1 for the root.
    package let depth: Int
    package let startTag: Range<Int>
    package let attributes: [Attribute]
    package internal(set) var children: [Int] = []
    /// Text outside its children; a CDATA section is a range of its own, with its delimiters.
    package internal(set) var text: [Range<Int>] = []
    /// Between its tags, empty for an empty-element tag; nil where the tree ends before the end
    /// tag.
    package internal(set) var content: Range<Int>?
    /// After the end tag; meaningless where `content` is nil.
    package internal(set) var end: Int

    /// From the start tag to the end of the end tag.
    package var range: Range<Int> { startTag.lowerBound..<end }
  }

  package let bytes: [UInt8]
  /// In document order.
  package let elements: [Element]
  /// Why the tree ends before the bytes do; everything before the fault is in the tree.
  package let fault: XMPFault?

  package init(_ bytes: [UInt8], _ rules: Rules, limits: DecodeLimits = DecodeLimits()) {
    var scanner = XMLScanner(bytes, rules, limits)
    self.bytes = bytes
    fault = scanner.run()
    elements = scanner.elements
  }

  /// The element `rdf:RDF`: the root or up to three levels below it.
  package var rdf: Int? { elements.firstIndex { $0.name == .rdf && $0.depth <= 4 } }

  package func value(_ attribute: Attribute) -> String {
    XMLText.decoded(bytes[attribute.value], .attribute)
  }

  package func value(_ name: XMPName, of element: Int) -> String? {
    elements[element].attributes.first { $0.name == name && !$0.isDeclaration }.map(value)
  }

  /// The text of an element, excluding its children.
  package func text(of element: Int) -> String {
    elements[element].text.map { range in
      bytes[range].starts(with: XMLScanner.cdata.start.utf8)
        ? XMLText.decoded(bytes[range].dropFirst(9).dropLast(3), .literal)
        : XMLText.decoded(bytes[range], .text)
    }.joined()
  }
}
