package import Containers
import Readers

extension HEIFDocument {
  private static let maxTableBytes = 64 << 20
  private static let maxBoxes = 4096
  private static let maxMediaBoxes = 64
  /// More items and references than any picture has.
  private static let maxItems = 65_536
  /// Of one item: their number stands in a byte, and an edit adds some.
  private static let maxAssociations = 240
  /// Boxes at the top that count bytes from the file's start.
  private static let sequences: Set<String> = ["moov", "moof", "mfra", "sidx", "ssix", "meco"]

  init(_ file: FileBytes) throws(ReadError) {
    self.file = file
    var meta: Range<Int>?
    var position = 0
    while position < file.count {
      guard parts.count < Self.maxBoxes else { throw ISOCursor.damaged("it has too many boxes") }
      let (type, header, length) = try Self.box(file, at: position)
      let content = position + header..<position + length
      switch type {
      case "ftyp" where parts.isEmpty:
        guard content.count <= 4096, let bytes = file.bytes(content.lowerBound, content.count)
        else {
          throw ISOCursor.damaged("its first box is too long")
        }
        brands = bytes
        parts.append(.brands)
      case "meta":
        guard meta == nil else { throw Self.refused("it has two tables of pictures") }
        meta = content
        parts.append(.meta)
      case "mdat": parts.append(.media(content))
      case _ where Self.sequences.contains(type):
        throw Self.refused("it also holds a sequence (\(type)), whose places would be lost")
      default:
        // A length of 0 means: to the end, where other boxes may come to stand.
        guard file.integer(UInt32.self, at: position, bigEndian: true) != 0 else {
          throw Self.refused("its last box has no length")
        }
        parts.append(.kept(position..<position + length))
      }
      position += length
    }
    guard case .brands = parts.first, let meta, meta.count <= Self.maxTableBytes,
      let bytes = file.bytes(meta.lowerBound, meta.count)
    else { throw ISOCursor.damaged("the file has no whole table of pictures") }
    try readMeta(ISOCursor(bytes))
    try checkItems()
  }

  private static func box(
    _ file: FileBytes, at position: Int
  ) throws(ReadError) -> (String, header: Int, length: Int) {
    guard let short = file.integer(UInt32.self, at: position, bigEndian: true),
      let name = file.bytes(position + 4, 4)
    else { throw refused("bytes that are no box end the file") }
    var (header, length) = (8, Int(short))
    if short == 0 { length = file.count - position }
    if short == 1 {
      guard let long = file.integer(UInt64.self, at: position + 8, bigEndian: true) else {
        throw ISOCursor.damaged("its last box ends early")
      }
      (header, length) = (16, Int(clamping: long))
    }
    guard length >= header, length <= file.count - position else {
      throw ISOCursor.damaged("a box of the file is not whole")
    }
    return (String(decoding: name, as: UTF8.self), header, length)
  }

  private static func whole(_ box: ISOBox) -> [UInt8] {
    bytes(box.type, Array(box.content.bytes))
  }

  /// A box; names are the bytes that ``ISOCursor/name()`` made characters of.
  static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 8
    let name = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + name + content
  }

  private mutating func readMeta(_ bytes: ISOCursor) throws(ReadError) {
    var meta = bytes
    metaHead = Array(try meta.take(4))
    var properties: ISOCursor?
    var locations: ISOCursor?
    while let box = try meta.box() {
      let child: Child
      switch box.type {
      case "pitm":
        child = .primary
        var content = box.content
        versions["pitm"] = try content.version().version
        primary = versions["pitm"] == 0 ? try content.u16() : try content.u32()
      case "iinf":
        child = .infos
        try readInfos(box.content)
      case "iref":
        child = .references
        try readReferences(box.content)
      case "iprp":
        child = .properties
        properties = box.content
      case "iloc":
        child = .locations
        locations = box.content
      case "idat":
        child = .inline
        inline = Array(box.content.bytes)
      case "grpl":
        child = .groups
        try readGroups(box.content)
      default: child = .kept(Self.whole(box))
      }
      if case .kept = child {
      } else if children.contains(child) {
        throw ISOCursor.damaged("box \(ISOBox.shown(box.type)) is there twice")
      }
      children.append(child)
    }
    // Both speak of items, which may be listed behind them.
    if let properties { try readProperties(properties) }
    if let locations { try readLocations(locations) }
  }

  private mutating func readInfos(_ box: ISOCursor) throws(ReadError) {
    var box = box
    let version = try box.version().version
    versions["iinf"] = version
    _ = version == 0 ? try box.u16() : try box.u32()
    while let entry = try box.box() {
      guard entry.type == "infe" else { throw Self.refused("its list of items has other boxes") }
      var content = entry.content
      let version = try content.version().version
      let number = version == 3 ? try content.u32() : try content.u16()
      guard version <= 3, try content.u16() == 0 else {
        throw Self.refused("item \(number) is protected or of a kind that is not known")
      }
      var item = Item(info: Self.whole(entry))
      if version >= 2 {
        item.type = try content.name()
        _ = content.text()
        if item.type == "mime" {
          item.contentType = content.text()
          guard content.text().isEmpty else {
            throw Self.refused("item \(number) is packed")
          }
        }
      }
      guard items.updateValue(item, forKey: number) == nil else {
        throw ISOCursor.damaged("item \(number) is there twice")
      }
      order.append(number)
    }
  }

  private mutating func readReferences(_ box: ISOCursor) throws(ReadError) {
    var box = box
    let version = try box.version().version
    guard version <= 1 else { throw Self.refused("its references are of a version not known here") }
    versions["iref"] = version
    while let entry = try box.box() {
      var content = entry.content
      func number() throws(ReadError) -> Int {
        version == 0 ? try content.u16() : try content.u32()
      }
      let from = try number()
      var to: [Int] = []
      for _ in 0..<(try content.u16()) { to.append(try number()) }
      guard content.isEmpty else { throw Self.refused("a reference says more than is known") }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ box: ISOCursor) throws(ReadError) {
    var box = box
    while let part = try box.box() {
      var content = part.content
      switch part.type {
      case "ipco":
        guard properties.isEmpty else { throw Self.refused("it has two lists of properties") }
        while let property = try content.box() { properties.append(Self.whole(property)) }
      case "ipma":
        let (version, flags) = try content.version()
        guard version <= 1 else { throw Self.refused("its properties are of a later version") }
        for _ in 0..<(try content.u32()) {
          let number = version == 0 ? try content.u16() : try content.u32()
          guard items[number] != nil else {
            throw ISOCursor.damaged("item \(number) has properties and is not there")
          }
          for _ in 0..<(try content.u8()) {
            let word = flags & 1 == 0 ? try content.u8() : try content.u16()
            let (mask, index) = flags & 1 == 0 ? (0x80, word & 0x7F) : (0x8000, word & 0x7FFF)
            if index == 0 { continue }
            guard index <= properties.count else {
              throw ISOCursor.damaged("a property of item \(number) is not there")
            }
            items[number]?.associations.append(
              Association(property: index - 1, isEssential: word & mask != 0))
          }
        }
      default: otherPropertyBoxes += Self.whole(part)
      }
    }
  }

  private mutating func readGroups(_ box: ISOCursor) throws(ReadError) {
    var box = box
    while let entry = try box.box() {
      var content = entry.content
      let head = Array(try content.take(8))
      var members: [Int] = []
      for _ in 0..<(try content.u32()) { members.append(try content.u32()) }
      groups.append(
        Group(type: entry.type, head: head, members: members, tail: Array(content.bytes)))
    }
  }

  private mutating func readLocations(_ box: ISOCursor) throws(ReadError) {
    var content = box
    versions["iloc"] = try content.version().version
    let media = parts.compactMap { if case .media(let range) = $0 { range } else { nil } }
    guard media.count <= Self.maxMediaBoxes else {
      throw Self.refused("its media data are in \(media.count) boxes")
    }
    for (number, location) in try HEIFLocation.list(box) {
      guard let item = items[number] else {
        throw ISOCursor.damaged("item \(number) has a place and is not there")
      }
      guard item.storage == nil else { throw ISOCursor.damaged("item \(number) has two places") }
      guard location.isHere, let origin = location.origin, origin != .item else {
        throw Self.refused("item \(number) is kept in another file or item")
      }
      let whole = origin == .inline ? inline.count : file.count
      var ranges: [Range<Int>] = []
      for extent in location.extents {
        let length = extent.length ?? (whole - extent.offset)
        guard extent.offset <= whole, length >= 0, length <= whole - extent.offset else {
          throw ISOCursor.damaged("item \(number) lies outside the file")
        }
        if length == 0 { continue }
        let range = extent.offset..<extent.offset + length
        guard
          origin == .inline
            || media.contains(where: {
              $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
            })
        else { throw Self.refused("item \(number) lies outside the media data") }
        ranges.append(range)
      }
      items[number]?.storage = .source(ranges, isInline: origin == .inline)
    }
  }

  /// References and groups must lead to items: what an edit does to others is not known.
  private func checkItems() throws(ReadError) {
    guard items.count <= Self.maxItems, groups.count <= Self.maxItems,
      references.reduce(0, { $0 + $1.to.count + 1 }) <= 4 * Self.maxItems
    else { throw ReadError(.tooLarge, "it has more items than any still picture") }
    guard items[primary] != nil else {
      throw ISOCursor.damaged("the main picture, item \(primary), is not there")
    }
    guard items.values.allSatisfy({ $0.associations.count < Self.maxAssociations }) else {
      throw Self.refused("an item has more properties than any picture")
    }
    for reference in references {
      guard items[reference.from] != nil, reference.to.allSatisfy({ items[$0] != nil }) else {
        throw ISOCursor.damaged("a reference leads to an item that is not there")
      }
    }
  }
}
