import ImageCore

/// The list of the pictures in a JPEG file that Android writes into the XMP of the primary
/// (`http://ns.google.com/photos/1.0/container/`).
///
/// Items follow the primary in the order of the list, each `Length` bytes long, so their places are
/// known from the end of the file, or from the end of the primary and its `Padding`. Read as
/// attributes or as elements, also where the prefixes are not declared; the first 64 items.
package struct PictureDirectory {
  package struct Item {
    var semantic = ""
    var length: Int?
    var padding = 0
    /// Where the length stands in the packet.
    var lengthPlace: Range<Int>?
    /// The element `rdf:li` that holds the item.
    var entry: Int?
  }

  static let primary = "Primary"
  static let gainMap = "GainMap"
  private static let maxItems = 64

  /// The items, the primary first.
  package private(set) var items: [Item] = []

  /// Whether one of the items is a gain map.
  package var hasGainMap: Bool { items.contains { $0.semantic == Self.gainMap } }

  /// The list in `packet`; empty when there is none.
  package init(xmp packet: [UInt8]) {
    let isThere = String(decoding: packet, as: UTF8.self).contains(XMPNamespace.container.uri)
    self.init(XMLTree(isThere ? packet : [], .lenient))
    items = Array(items.prefix(Self.maxItems))
  }

  /// All items in `tree`.
  init(_ tree: XMLTree) {
    for (index, element) in tree.elements.enumerated() {
      let isItem = Self.matches(element.name, .container, "Item")
      let isEntry = Self.matches(element.name, .rdf, "li")
      guard isItem || isEntry else { continue }
      var item = Item()
      if isItem {
        item.entry = element.parent.flatMap { parent in
          Self.matches(tree.elements[parent].name, .rdf, "li") ? parent : nil
        }
      } else {
        item.entry = index
      }
      for attribute in element.attributes where !attribute.isDeclaration {
        item.set(attribute.name, tree.value(attribute), attribute.value)
      }
      for child in element.children {
        guard let content = tree.elements[child].content else { continue }
        let text =
          content
          .lowerBound..<(content.first { tree.bytes[$0] == UInt8(ascii: "<") }
          ?? content.upperBound)
        item.set(
          tree.elements[child].name, XMLText.resolved(tree.bytes[text], in: .text), text)
      }
      // An entry that holds its item in an element of its own says nothing itself.
      if isItem || !item.semantic.isEmpty { items.append(item) }
    }
  }

  /// Whether a name is that of the namespace, or has a prefix that is not declared.
  fileprivate static func matches(
    _ name: XMPName, _ namespace: XMPNamespace, _ local: String
  ) -> Bool {
    name.name == local && (name.namespace == namespace.uri || name.namespace.isEmpty)
  }

  /// Where the gain map may start in a file of `count` bytes whose primary ends at `end`.
  package func gainMapStarts(count: Int, end: Int?) -> [Int] {
    guard let index = items.firstIndex(where: { $0.semantic == Self.gainMap }), index > 0 else {
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

  /// The list of a file of two pictures, as an `rdf:Description`; the second is a gain map of
  /// `mapBytes`.
  package static func description(mapBytes: Int) -> String {
    var description = XMPDescription(.container, .containerItem, .hdrgm)
    description.add(.hdrgm, "Version", HDRGMValues.version)
    let item = "<rdf:li rdf:parseType=\"Resource\">\n      <Container:Item"
    let end = "Item:Mime=\"image/jpeg\""
    let close = "/>\n     </rdf:li>"
    description.add(
      elements: """
           <Container:Directory>
            <rdf:Seq>
             \(item) Item:Semantic="\(primary)" \(end)\(close)
             \(item) Item:Semantic="\(gainMap)" \(end) Item:Length="\(mapBytes)"\(close)
            </rdf:Seq>
           </Container:Directory>
        """)
    return description.text
  }
}

extension PictureDirectory.Item {
  fileprivate mutating func set(_ name: XMPName, _ value: String, _ place: Range<Int>) {
    let value = value.trimmingSpace
    if PictureDirectory.matches(name, .containerItem, "Semantic") {
      semantic = value
    } else if PictureDirectory.matches(name, .containerItem, "Length") {
      length = Int(value).flatMap { $0 > 0 ? $0 : nil }
      lengthPlace = place
    } else if PictureDirectory.matches(name, .containerItem, "Padding") {
      padding = max(Int(value) ?? 0, 0)
    }
  }
}
