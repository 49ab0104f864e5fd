/// Takes what an XMP packet says of a gain map out of it, or changes it, byte by byte.
///
/// Statements are properties in the namespaces hdrgm, HDRGainMap and HDRToneMap, as attributes or
/// elements, with their declarations, and the entries of a gain map in Android's list of pictures
/// (``PictureDirectory``); a list of which only the primary is left goes as a whole, and so does a
/// description of which nothing is left. A packet that cannot be read to its end is refused, but
/// only where it names one of these namespaces at all.
package struct GainMapStatementRemoval {
  private static let statements = Set(
    [XMPNamespace.hdrgm, .appleGainMap, .appleToneMap].map(\.uri))
  private static let ofList = Set([XMPNamespace.container, .containerItem].map(\.uri))
  private static let directory = XMPName(.container, "Directory")

  private let tree: XMLTree
  private let list: PictureDirectory
  /// Lists, and the entries that each has.
  private var directories: [Int: [PictureDirectory.Item]] = [:]

  /// Whether `packet` names a namespace of gain maps or lists of pictures.
  package static func concerns(_ packet: [UInt8]) -> Bool {
    let text = String(decoding: packet, as: UTF8.self)
    return statements.union(ofList).contains(where: text.contains)
  }

  /// What `packet` says. Throws where it cannot be edited.
  package init(_ packet: [UInt8]) throws(FormatError) {
    tree = XMLTree(packet, .lenient)
    guard Self.concerns(packet) else {
      list = PictureDirectory(xmp: [])
      return
    }
    if let fault = tree.fault { throw fault.refusal }
    list = PictureDirectory(tree)
    for index in tree.elements.indices where tree.elements[index].name == Self.directory {
      directories[index] = []
    }
    for item in list.items {
      // The element around the sequence is the list.
      let sequence = item.entry.flatMap { tree.elements[$0].parent }
      if let around = sequence.flatMap({ tree.elements[$0].parent }) {
        directories[around]?.append(item)
      }
    }
  }

  /// Whether the packet has a list of pictures.
  package var hasList: Bool { !directories.isEmpty }

  /// Pictures in lists beside the primary and the gain map.
  package var otherPictures: Int {
    directories.values.joined().count { Self.isOther($0) }
  }

  private static func isOther(_ item: PictureDirectory.Item) -> Bool {
    ![PictureDirectory.primary, PictureDirectory.gainMap, ""].contains(item.semantic)
  }

  /// The packet with the length of the gain map in its list; nil when the list has none.
  package func with(gainMapLength length: Int) -> [UInt8]? {
    let map = list.items.last { $0.semantic == PictureDirectory.gainMap && $0.entry != nil }
    guard let place = map?.lengthPlace else { return nil }
    var editor = XMPEditor(tree)
    editor.replace(place, with: "\(length)".utf8)
    return editor.bytes
  }

  /// The packet without statements on gain maps.
  package var withoutGainMap: [UInt8] {
    var editor = XMPEditor(tree)
    let entries = Set(
      list.items.filter { $0.semantic == PictureDirectory.gainMap }.compactMap(\.entry))
    var removed: Set<Int> = []
    // Children come behind their parents, and are decided upon first.
    for (index, element) in tree.elements.enumerated().reversed() {
      let isStatement =
        Self.statements.contains(element.name.namespace) || entries.contains(index)
        || directories[index].map(isOfMapOnly) ?? false
      if isStatement || isEmptied(element, removed) { removed.insert(index) }
    }
    var declarations: [Range<Int>] = []
    var usesList = false
    for (index, element) in tree.elements.enumerated() {
      if element.parent.map(removed.contains) ?? false { removed.insert(index) }
      if removed.contains(index) {
        editor.remove(element.range)
        continue
      }
      usesList = usesList || Self.ofList.contains(element.name.namespace)
      for attribute in element.attributes {
        if isStatement(attribute) {
          editor.remove(attribute.range)
        } else if attribute.isDeclaration {
          if Self.ofList.contains(tree.value(attribute)) { declarations.append(attribute.range) }
        } else {
          usesList = usesList || Self.ofList.contains(attribute.name.namespace)
        }
      }
    }
    if !usesList { for range in declarations { editor.remove(range) } }
    return editor.bytes
  }

  private func isOfMapOnly(_ items: [PictureDirectory.Item]) -> Bool {
    items.contains { $0.semantic == PictureDirectory.gainMap }
      && !items.contains(where: Self.isOther)
  }

  /// Whether an attribute is a statement, or declares a namespace of statements.
  private func isStatement(_ attribute: XMLTree.Attribute) -> Bool {
    Self.statements.contains(
      attribute.isDeclaration ? tree.value(attribute) : attribute.name.namespace)
  }

  /// Whether an element is a description that loses something, and of which nothing is left.
  private func isEmptied(_ element: XMLTree.Element, _ removed: Set<Int>) -> Bool {
    guard element.name == .description else { return false }
    let loses =
      element.attributes.contains(where: isStatement)
      || element.children.contains(where: removed.contains)
    let keeps =
      element.children.contains { !removed.contains($0) }
      || element.attributes.contains {
        !$0.isDeclaration && !isStatement($0) && $0.name != .about
      }
    return loses && !keeps
  }
}
