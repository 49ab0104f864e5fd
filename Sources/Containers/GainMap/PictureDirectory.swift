import ImageCore

/// The directory of the pictures in a JPEG file that Android writes into the XMP of the primary
/// (`http://ns.google.com/photos/1.0/container/`).
///
/// The files of the items follow the primary in the order of the directory, each `Length` bytes
/// long, so their offsets are known from the end of the file, or from the end of the primary and
/// its `Padding`. Properties of items are attributes or elements, and their prefixes need not be
/// declared.
package struct PictureDirectory {
  package struct Item {
    /// What the file of an item is.
    enum Semantic { case none, primary, gainMap, other }

    var semantic = Semantic.none
    var length: Int?
    var padding = 0
    /// Of the length in the packet.
    var lengthRange: Range<Int>?
    /// The element `rdf:li` that holds the item.
    var entry: Int?
  }

  fileprivate static let primary = "Primary"
  fileprivate static let gainMap = "GainMap"

  /// The items, the primary first.
  package private(set) var items: [Item] = []

  /// Whether one of the items is a gain map.
  package var hasGainMap: Bool { items.contains { $0.semantic == .gainMap } }

  /// Bytes of the gain map's file, as the directory has them; nil where it does not say.
  package var gainMapLength: Int? { items.first { $0.semantic == .gainMap }?.length }

  /// The directory in a packet; empty if missing.
  package init(_ tree: XMLTree) {
    for (index, element) in tree.elements.enumerated() {
      let isItem = element.name.matches(.container, "Item")
      let isEntry = element.name.matches(.rdf, "li")
      guard isItem || isEntry else { continue }
      var item = Item()
      item.entry =
        isEntry
        ? index : element.parent.flatMap { tree.elements[$0].name.matches(.rdf, "li") ? $0 : nil }
      for attribute in element.attributes where !attribute.isDeclaration {
        item.set(attribute.name, tree.value(attribute), attribute.value)
      }
      for child in element.children {
        if let text = tree.elements[child].text.first {
          item.set(tree.elements[child].name, tree.text(of: child), text)
        }
      }
      // An entry whose item is an element of its own has no properties.
      if isItem || item.semantic != .none { items.append(item) }
    }
  }

  /// Offsets at which the gain map may start in a file of `count` bytes whose primary ends at
  /// `end`.
  package func gainMapStarts(count: Int, end: Int?) -> [Int] {
    guard let index = items.firstIndex(where: { $0.semantic == .gainMap }), index > 0 else {
      return []
    }
    var starts: [Int] = []
    func sum(_ start: Int, _ lengths: [Int?]) -> Int? {
      lengths.reduce(start) { sum, length in
        guard let sum, let length else { return nil }
        let (result, overflow) = sum.addingReportingOverflow(length)
        return overflow ? nil : result
      }
    }
    if let behind = sum(0, items[index...].map(\.length)), behind < count {
      starts.append(count - behind)
    }
    if let end, let start = sum(end, [items[0].padding] + items[1..<index].map(\.length)) {
      starts.append(start)
    }
    return starts
  }

  /// The directory of a file of two pictures, as an `rdf:Description`; the second is a gain map of
  /// `mapBytes` bytes.
  package static func description(mapBytes: Int) -> String {
    var description = XMPDescription(.container, .containerItem, .hdrgm)
    description.add(.hdrgm, "Version", HDRGMValues.version)
    let item = "<rdf:li rdf:parseType=\"Resource\">\n      <Container:Item"
    let mime = "Item:Mime=\"image/jpeg\""
    let end = "/>\n     </rdf:li>"
    description.add(
      elements: """
           <Container:Directory>
            <rdf:Seq>
             \(item) Item:Semantic="\(primary)" \(mime)\(end)
             \(item) Item:Semantic="\(gainMap)" \(mime) Item:Length="\(mapBytes)"\(end)
            </rdf:Seq>
           </Container:Directory>
        """)
    return description.text
  }
}

extension PictureDirectory.Item {
  fileprivate mutating func set(_ name: XMPName, _ value: String, _ range: Range<Int>) {
    let value = value.trimmingSpace
    if name.matches(.containerItem, "Semantic") {
      semantic =
        if value.isEmpty {
          .none
        } else if value.isSame(as: PictureDirectory.primary) {
          .primary
        } else {
          value.isSame(as: PictureDirectory.gainMap) ? .gainMap : .other
        }
    } else if name.matches(.containerItem, "Length") {
      length = Int(value).flatMap { $0 > 0 ? $0 : nil }
      lengthRange = range
    } else if name.matches(.containerItem, "Padding") {
      padding = max(Int(value) ?? 0, 0)
    }
  }
}

extension XMPName {
  /// Whether this is a name of `namespace`, or one whose prefix is not declared.
  fileprivate func matches(_ namespace: XMPNamespace, _ name: String) -> Bool {
    self.name.isSame(as: name) && (isIn(namespace) || self.namespace.isEmpty)
  }
}
