/// Takes all properties of a gain map out of an XMP packet, or changes them, byte by byte.
///
/// These are the properties in the namespaces hdrgm, HDRGainMap and HDRToneMap, as attributes or
/// elements, with their declarations, and the gain map's entry in Android's ``PictureDirectory``; a
/// directory of which only the primary is left is removed, and so is a description of which
/// nothing is left. A packet that cannot be read to its end is refused, but only where it names one
/// of these namespaces at all.
package struct GainMapXMPRemoval {
  private static let ofGainMaps: [XMPNamespace] = [.hdrgm, .appleGainMap, .appleToneMap]
  private static let ofDirectory: [XMPNamespace] = [.container, .containerItem]

  private let tree: XMLTree
  private let items: [PictureDirectory.Item]
  /// The items of each directory, by its element.
  private var directories: [Int: [PictureDirectory.Item]] = [:]

  /// Whether `packet` names a namespace of gain maps or of directories of pictures.
  package static func concerns(_ packet: [UInt8]) -> Bool {
    (ofGainMaps + ofDirectory).contains { packet[...].contains(subsequence: $0.uri) }
  }

  /// The properties in `packet`. Throws where it cannot be edited.
  package init(_ packet: [UInt8]) throws(FormatError) {
    tree = XMLTree(packet, .lenient)
    guard Self.concerns(packet) else {
      items = []
      return
    }
    if let fault = tree.fault { throw fault.refusal }
    items = PictureDirectory(tree).items
    for (index, element) in tree.elements.enumerated()
    where element.name == XMPName(.container, "Directory") {
      directories[index] = []
    }
    for item in items {
      // The directory has a sequence of entries.
      let sequence = item.entry.flatMap { tree.elements[$0].parent }
      if let directory = sequence.flatMap({ tree.elements[$0].parent }) {
        directories[directory]?.append(item)
      }
    }
  }

  /// Whether the packet has a directory of pictures.
  package var hasDirectory: Bool { !directories.isEmpty }

  /// Number of pictures in directories beside the primary and the gain map.
  package var otherPictures: Int { directories.values.joined().count(where: Self.isOther) }

  private static func isOther(_ item: PictureDirectory.Item) -> Bool {
    item.semantic == .other
  }

  /// The packet with the length of the gain map in its directory; nil when that has none.
  package func with(gainMapLength length: Int) -> [UInt8]? {
    let map = items.last { $0.semantic == .gainMap && $0.entry != nil }
    guard let range = map?.lengthRange else { return nil }
    var editor = XMPEditor(tree)
    editor.replace(range, with: "\(length)".utf8)
    return editor.bytes
  }

  /// The packet without properties of gain maps.
  package var withoutGainMap: [UInt8] {
    var editor = XMPEditor(tree)
    let removed = removedElements
    var declarations: [Range<Int>] = []
    var usesDirectory = false
    for (index, element) in tree.elements.enumerated() {
      if removed.contains(index) {
        editor.remove(element.range)
        continue
      }
      usesDirectory = usesDirectory || Self.ofDirectory.contains(where: element.name.isIn)
      for attribute in element.attributes {
        if isOfGainMap(attribute) {
          editor.remove(attribute.range)
        } else if isOf(Self.ofDirectory, attribute) {
          if attribute.isDeclaration {
            declarations.append(attribute.range)
          } else {
            usesDirectory = true
          }
        }
      }
    }
    if !usesDirectory { for range in declarations { editor.remove(range) } }
    return editor.bytes
  }

  /// Elements that are such properties or hold nothing else, with all elements in them.
  private var removedElements: Set<Int> {
    let entries = Set(items.filter { $0.semantic == .gainMap }.compactMap(\.entry))
    var removed: Set<Int> = []
    // Children follow their parents, which depend on them.
    for (index, element) in tree.elements.enumerated().reversed()
    where Self.ofGainMaps.contains(where: element.name.isIn) || entries.contains(index)
      || directories[index].map(isOfMapOnly) == true || isEmptied(element, removed)
    {
      removed.insert(index)
    }
    for (index, element) in tree.elements.enumerated()
    where element.parent.map(removed.contains) == true {
      removed.insert(index)
    }
    return removed
  }

  private func isOfMapOnly(_ items: [PictureDirectory.Item]) -> Bool {
    items.contains { $0.semantic == .gainMap }
      && !items.contains(where: Self.isOther)
  }

  /// Whether an attribute is such a property, or declares one of the namespaces.
  private func isOfGainMap(_ attribute: XMLTree.Attribute) -> Bool {
    isOf(Self.ofGainMaps, attribute)
  }

  /// Whether an attribute is a property of one of `namespaces`, or declares one.
  private func isOf(_ namespaces: [XMPNamespace], _ attribute: XMLTree.Attribute) -> Bool {
    let uri = attribute.isDeclaration ? tree.value(attribute) : attribute.name.namespace
    return namespaces.contains { uri.isSame(as: $0.uri) }
  }

  /// Whether an element is a description that loses something, and of which nothing is left.
  private func isEmptied(_ element: XMLTree.Element, _ removed: Set<Int>) -> Bool {
    let loses =
      element.attributes.contains(where: isOfGainMap)
      || element.children.contains(where: removed.contains)
    let keeps =
      element.children.contains { !removed.contains($0) }
      || element.attributes.contains {
        !$0.isDeclaration && !isOfGainMap($0) && $0.name != .about
      }
    return element.name == .description && loses && !keeps
  }
}
