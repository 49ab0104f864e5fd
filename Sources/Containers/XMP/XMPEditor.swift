/// Changes a packet byte by byte: all else stays as it stands, white space and all.
package struct XMPEditor {
  package let tree: XMLTree
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

  package init(_ tree: XMLTree) { self.tree = tree }

  /// Takes out a range with the white space before it.
  package mutating func remove(_ range: Range<Int>) {
    var start = range.lowerBound
    while start > 0, XMLText.isSpace(tree.bytes[start - 1]) { start -= 1 }
    changes.append((start..<range.upperBound, []))
  }

  /// Puts `text` in the place of a range. Not to overlap with other changes.
  package mutating func replace(_ range: Range<Int>, with text: some Sequence<UInt8>) {
    changes.append((range, Array(text)))
  }

  /// Adds `text`, elements `rdf:Description`, behind the packet's own; false where there is no RDF,
  /// or one with another prefix than theirs.
  package mutating func append(_ text: some Sequence<UInt8>) -> Bool {
    guard let end = tree.rdfContent?.upperBound else { return false }
    replace(end..<end, with: text)
    return true
  }

  /// The packet with all changes.
  package var bytes: [UInt8] {
    var out: [UInt8] = []
    var position = 0
    let ordered = changes.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, change) in ordered {
      if change.range.lowerBound > position {
        out += tree.bytes[position..<change.range.lowerBound]
      }
      out += change.bytes
      position = max(position, change.range.upperBound)
    }
    return out + tree.bytes[position...]
  }
}

extension XMLTree {
  /// What stands within `rdf:RDF`, where it has tags of this spelling.
  package var rdfContent: Range<Int>? {
    guard let rdf = rdf.map({ elements[$0] }), let content = rdf.content,
      rdf.end > content.upperBound,
      bytes[rdf.startTag].holds("<rdf:RDF", at: rdf.startTag.lowerBound)
    else { return nil }
    return content
  }

  /// The places of all values of a property, wherever it stands: attributes, and elements of
  /// nothing but text.
  package func places(of name: XMPName) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for element in elements {
      if element.name == name, let content = element.content, element.children.isEmpty {
        places.append(content)
      }
      places += element.attributes.filter { $0.name == name }.map(\.value)
    }
    return places
  }
}
