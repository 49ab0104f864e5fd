/// The items of a file as a reader of pictures looks them up: by the properties that are known, and
/// by both ends of their references.
package struct HEIFItems {
  /// One item.
  package struct Item {
    package let type: String
    /// Whether it is an XMP packet.
    package let isXMP: Bool
    /// Whether its bytes are coded once more (deflate).
    package let isEncoded: Bool
    package let location: HEIFLocation?
    package fileprivate(set) var properties: [HEIFProperty] = []
    /// Essential properties that are not known here.
    package fileprivate(set) var unknown: [String] = []

    /// `hvcC` or `av1C`; empty when there is none.
    package var configuration: [UInt8] {
      for case .configuration(let bytes, _) in properties { return bytes }
      return []
    }
  }

  /// One end of references: their type and an item.
  private struct End: Hashable {
    let type: String
    let item: Int
  }

  /// Tables larger than this are no still picture's.
  private static let maxTableBytes = 64 << 20

  private var items: [Int: Item] = [:]
  // Kept by both ends: looking through a list of them for each of them would take minutes.
  private var targets: [End: [Int]] = [:]
  private var sources: [End: [Int]] = [:]
  /// Items that are alternatives of each other, preferred ones first.
  package let alternatives: [[Int]]
  package let primary: Int
  /// Bytes of items that are stored among the tables.
  let inline: [UInt8]

  package subscript(_ number: Int) -> Item? { items[number] }

  /// The numbers of all items, in ascending order.
  var numbers: [Int] { items.keys.sorted() }

  /// What `number` points to with `type`.
  package func targets(_ type: String, of number: Int) -> [Int] {
    targets[End(type: type, item: number)] ?? []
  }

  /// The items that point to `number` with `type`, in ascending order.
  package func sources(_ type: String, to number: Int) -> [Int] {
    (sources[End(type: type, item: number)] ?? []).sorted()
  }

  /// The items of `file`.
  package init(_ file: FileBytes) throws(FormatError) {
    try self.init(HEIFMeta(Self.tables(file), file.limits))
  }

  init(_ meta: HEIFMeta) throws(FormatError) {
    (primary, inline) = (meta.primary, meta.inline)
    alternatives = meta.groups.filter { $0.type == "altr" }.map(\.members)
    var properties: [(type: String, property: HEIFProperty?)] = []
    for bytes in meta.properties {
      let box = ISOBox(type: ISOBox.name(bytes[4..<8]), content: ByteCursor(bytes[8...]))
      properties.append((box.type, try HEIFProperty(box)))
    }
    for (number, entry) in meta.items where entry.isTyped {
      var location: HEIFLocation?
      if case .located(let known) = entry.storage { location = known }
      var item = Item(
        type: entry.type, isXMP: entry.isXMP, isEncoded: entry.isEncoded, location: location)
      for association in entry.associations {
        let (type, property) = properties[association.property]
        if let property {
          item.properties.append(property)
        } else if association.isEssential {
          item.unknown.append(type)
        }
      }
      items[number] = item
    }
    for reference in meta.references {
      let start = End(type: reference.type, item: reference.from)
      if targets[start] == nil { targets[start] = reference.to }
      for item in reference.to {
        let end = End(type: reference.type, item: item)
        if sources[end]?.last != reference.from {
          sources[end, default: []].append(reference.from)
        }
      }
    }
  }

  /// The content of the first `meta` box; the boxes behind it need not be whole.
  private static func tables(_ file: FileBytes) throws(FormatError) -> ByteCursor {
    var position = 0
    var isSequence = false
    var count = file.itemCount(of: "boxes")
    while position < file.count, let box = file.box(at: position) {
      try count.add()
      switch box.type {
      case "meta":
        guard box.range.count <= maxTableBytes,
          let bytes = file.bytes(box.content.lowerBound, box.content.count)
        else {
          throw FormatError(
            .tooLarge, "its tables have \(box.range.count) bytes; no still picture needs so many")
        }
        return ByteCursor(bytes)
      case "moov": isSequence = true
      default: break
      }
      position = box.range.upperBound
    }
    if isSequence {
      throw FormatError(
        .unsupported, "it holds a sequence of pictures and no still; export a single picture")
    }
    throw .contradiction("the file has no whole table of pictures")
  }
}
