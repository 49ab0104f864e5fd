/// Edits a packet byte by byte: all else stays as it is, white space and all.
package struct XMPEditor {
  package let tree: XMLTree
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

  package init(_ tree: XMLTree) { self.tree = tree }

  /// Removes a range and the white space before it. Ranges may lie within each other.
  package mutating func remove(_ range: Range<Int>) {
    let start = tree.bytes[..<range.lowerBound].lastIndex { !XMLText.isSpace($0) }
    changes.append(((start.map { $0 + 1 } ?? 0)..<range.upperBound, []))
  }

  /// Replaces a range, which overlaps with no other change.
  package mutating func replace(_ range: Range<Int>, with text: some Sequence<UInt8>) {
    changes.append((range, Array(text)))
  }

  /// Adds `text`, elements `rdf:Description`, after the packet's own; false where it has no RDF to
  /// which their prefix refers.
  package mutating func append(_ text: some Sequence<UInt8>) -> Bool {
    guard let end = tree.rdfContent?.upperBound else { return false }
    replace(end..<end, with: text)
    return true
  }

  /// The packet with all changes.
  package var bytes: [UInt8] {
    var out: [UInt8] = []
    var position = 0
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      out += tree.bytes[position..<max(position, change.range.lowerBound)] + change.bytes
      position = max(position, change.range.upperBound)
    }
    return out + tree.bytes[position...]
  }
}

extension XMLTree {
  /// The content of `rdf:RDF`, where its tags have this prefix.
  var rdfContent: Range<Int>? {
    guard let rdf = rdf.map({ elements[$0] }), let content = rdf.content,
      rdf.end > content.upperBound,
      bytes[rdf.startTag].starts(with: "<rdf:RDF".utf8)
    else { return nil }
    return content
  }
}
