/// The elements and attributes of an XMP packet, each with its place in the bytes, so that what is
/// changed leaves all else as it stands.
///
/// Source: XML 1.0 and its namespaces, as far as ISO 16684-1 uses them: no document type, hence no
/// entities but the five named ones and those of numbers. Packets come from strangers, so no input
/// costs more than its length: what is nested deeper or has more parts than the limits say ends the
/// tree. Values are decoded only when they are asked for. Bytes are taken as UTF-8.
package struct XMLTree: Sendable {
  /// Most elements within each other.
  static let maxDepth = 64
  /// Most elements and attributes.
  static let maxCount = 500_000
  /// Most attributes of one element; Lightroom writes about 150.
  static let maxAttributes = 2000
  /// Most declarations of namespaces that hold at a time.
  static let maxNamespaces = 256

  /// What counts as a fault.
  package enum Rules: Sendable {
    /// Everything that XML 1.0 and its namespaces call an error.
    case wellFormed
    /// Only what makes it uncertain where elements and attributes stand: files of cameras are read.
    case lenient
  }

  package struct Attribute: Sendable {
    package let name: XMPName
    /// From its name to the closing quote.
    package let range: Range<Int>
    /// Between the quotes.
    package let value: Range<Int>
    /// Whether it declares a namespace, which is its value.
    package let isDeclaration: Bool
  }

  package struct Element: Sendable {
    package let name: XMPName
    /// The element around it.
    package let parent: Int?
    /// 1 for the outermost.
    package let depth: Int
    /// The first tag.
    package let startTag: Range<Int>
    package let attributes: [Attribute]
    package internal(set) var children: [Int] = []
    /// Between its tags; nil where the tree ends before the end tag. Empty for an element of one
    /// tag.
    package internal(set) var content: Range<Int>?
    /// Behind the end tag; of no meaning where `content` is nil.
    package internal(set) var end: Int

    /// From the first tag to behind the last.
    package var range: Range<Int> { startTag.lowerBound..<end }
  }

  package let bytes: [UInt8]
  /// In the order of their first tags.
  package let elements: [Element]
  /// Why the tree ends before the bytes do; what stands before that place is there.
  package let fault: XMPFault?

  /// The tree of `bytes`. `declared` are namespaces that hold without a declaration.
  package init(_ bytes: [UInt8], _ rules: Rules, declared: [XMPNamespace] = []) {
    var scanner = XMLScanner(bytes, rules, declared: declared)
    self.bytes = bytes
    fault = scanner.run()
    elements = scanner.elements
  }

  /// The element `rdf:RDF`, itself or within a few others.
  package var rdf: Int? { elements.firstIndex { $0.name == .rdf && $0.depth <= 4 } }

  /// The value of an attribute.
  package func value(_ attribute: Attribute) -> String {
    XMLText.resolved(bytes[attribute.value], in: .attribute)
  }

  /// The value of the attribute `name` of an element.
  package func value(_ name: XMPName, of element: Int) -> String? {
    elements[element].attributes.first { $0.name == name && !$0.isDeclaration }.map(value)
  }

  /// The text of an element, without that of its children.
  package func text(of element: Int) -> String {
    guard let content = elements[element].content else { return "" }
    var text = ""
    var position = content.lowerBound
    for child in elements[element].children {
      append(position..<elements[child].startTag.lowerBound, to: &text)
      position = elements[child].end
    }
    append(position..<content.upperBound, to: &text)
    return text
  }

  /// Appends text, marked sections included, comments and instructions left out.
  private func append(_ range: Range<Int>, to text: inout String) {
    var rest = bytes[range]
    while !rest.isEmpty {
      let plain = rest.prefix { $0 != UInt8(ascii: "<") }
      if !plain.isEmpty { text += XMLText.resolved(plain, in: .text) }
      rest = rest[plain.endIndex...]
      guard let section = XMLSection(at: rest.startIndex, in: rest) else { return }
      if section.kind == .literal {
        text += XMLText.resolved(rest[section.content], in: .literal)
      }
      rest = rest[section.end...]
    }
  }
}

/// What is no tag between `<` and `>`: a comment, a marked section or an instruction.
struct XMLSection {
  enum Kind: CaseIterable {
    case comment, literal, instruction

    var marks: (start: StaticString, end: StaticString) {
      switch self {
      case .comment: ("<!--", "-->")
      case .literal: ("<![CDATA[", "]]>")
      case .instruction: ("<?", "?>")
      }
    }
  }

  let kind: Kind
  /// Between its marks.
  let content: Range<Int>
  let end: Int

  /// The section that starts at `start`; nil when none does. One that does not end has an `end`
  /// beyond `bytes`.
  init?(at start: Int, in bytes: ArraySlice<UInt8>) {
    guard let kind = Kind.allCases.first(where: { bytes.holds($0.marks.start, at: start) }) else {
      return nil
    }
    self.kind = kind
    let first = start + kind.marks.start.utf8CodeUnitCount
    var place = first
    while place < bytes.endIndex, !bytes.holds(kind.marks.end, at: place) { place += 1 }
    content = first..<place
    end = place + kind.marks.end.utf8CodeUnitCount
  }
}

extension ArraySlice<UInt8> {
  /// Whether `mark` stands at `index`.
  func holds(_ mark: StaticString, at index: Int) -> Bool {
    guard index >= startIndex, index + mark.utf8CodeUnitCount <= endIndex else { return false }
    return mark.withUTF8Buffer { mark in
      mark.indices.allSatisfy { self[index + $0] == mark[$0] }
    }
  }
}
