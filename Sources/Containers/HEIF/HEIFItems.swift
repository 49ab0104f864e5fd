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
    /// Whether it is not displayed on its own.
    fileprivate(set) var isHidden = false
    package let location: HEIFLocation?
    package fileprivate(set) var properties: [HEIFProperty] = []
    /// Essential properties that are not known here.
    package fileprivate(set) var unknown: [String] = []

    /// The names of properties that say how an uncompressed picture is stored.
    private static let layout: Set<String> = ["cmpd", "uncC", "cmpC", "icef"]

    /// The record of `hvcC`, `av1C` or `jpgC`, or for uncompressed pictures the boxes that describe
    /// them; empty if missing.
    package var configuration: [UInt8] {
      if type == CodedStill.Codec.uncompressed.rawValue { return layout }
      for case .configuration(let bytes, _) in properties { return bytes }
      return []
    }

    private var layout: [UInt8] {
      var (boxes, named): ([UInt8], Set<String>) = ([], [])
      for property in properties {
        switch property {
        case .size where named.insert("ispe").inserted: boxes += property.box
        case .other(let name, _) where Self.layout.contains(name) && named.insert(name).inserted:
          boxes += property.box
        default: break
        }
      }
      return boxes
    }
  }

  /// One end of references: their type and an item.
  private struct End: Hashable {
    let type: String
    let item: Int
  }

  private var items: [Int: Item] = [:]
  // Stored for both ends: a linear search for each would take minutes.
  private var targets: [End: [Int]] = [:]
  private var sources: [End: [Int]] = [:]
  /// Items that are alternatives of each other, preferred ones first.
  package let alternatives: [[Int]]
  package let primary: Int
  /// Bytes of items that are stored among the tables.
  let inline: [UInt8]
  /// Pictures of a sequence, of which the first is the only item; nil for stills.
  package let sequenceCount: Int?

  package subscript(_ number: Int) -> Item? { items[number] }

  /// The numbers of all items, in ascending order.
  var numbers: [Int] { items.keys.sorted() }

  /// The number of pictures besides the primary one that are displayed on their own: not hidden,
  /// nor a part, a thumbnail, alpha, a gain map or an alternative of another.
  package var otherPictures: Int {
    let derived = ["grid", "iden", "iovl"]
    let helping = ["thmb", "auxl", "base"]
    return items.filter { number, item in
      number != primary && !item.isHidden
        && (CodedStill.Codec(rawValue: item.type) != nil || derived.contains(item.type))
        && helping.allSatisfy { targets($0, of: number).isEmpty }
        && sources("dimg", to: number).isEmpty
        && !alternatives.contains { $0.contains(primary) && $0.contains(number) }
    }.count
  }

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
    switch try Self.tables(file) {
    case .stills(let content): try self.init(HEIFMeta(content, file.limits))
    case .sequence(let content):
      guard let sequence = try HEIFSequence(content, file.limits) else {
        throw FormatError(
          .unsupported, "it is a movie without a picture or video track; give a still")
      }
      self.init(sequence)
    }
  }

  private init(_ sequence: HEIFSequence) {
    (primary, inline, alternatives) = (1, [], [])
    sequenceCount = sequence.count
    var item = Item(
      type: sequence.type, isXMP: false, isEncoded: false, location: sequence.location)
    item.properties = sequence.properties
    items[1] = item
  }

  init(_ meta: HEIFMeta) throws(FormatError) {
    (primary, inline) = (meta.primary, meta.inline)
    sequenceCount = nil
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
      item.isHidden = meta.isHidden(number)
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

  /// The content of a `meta` or `moov` box.
  private enum Tables {
    case stills(ByteCursor)
    case sequence(ByteCursor)
  }

  /// The first `meta` box, else the first `moov`; the boxes after it may be truncated.
  private static func tables(_ file: FileBytes) throws(FormatError) -> Tables {
    func content(_ box: FileBytes.BoxPosition) throws(FormatError) -> ByteCursor {
      guard box.range.count <= FormatLimits.blockBytes,
        let bytes = file.bytes(box.content.lowerBound, box.content.count)
      else {
        throw FormatError(
          .tooLarge, "its \(box.type) box has \(box.range.count) bytes; export it again as a still")
      }
      return ByteCursor(bytes)
    }
    var position = 0
    var sequence: FileBytes.BoxPosition?
    var count = file.itemCount(of: "boxes")
    while position < file.count, let box = file.box(at: position) {
      try count.add()
      switch box.type {
      case "meta": return .stills(try content(box))
      case "moov": sequence = sequence ?? box
      case "mini":
        throw FormatError(
          .unsupported,
          "it uses the compact mini box, which is not supported; save it as HEIC or AVIF with a "
            + "meta box")
      default: break
      }
      position = box.range.upperBound
    }
    if let sequence { return .sequence(try content(sequence)) }
    throw .contradiction("its meta box is missing or truncated")
  }
}
