/// The items of a file, as its `meta` box lists them (ISO/IEC 14496-12:2022 8.11, ISO/IEC
/// 23008-12:2022): pictures, metadata, and how they belong together.
struct HEIFItems {
  /// One item.
  struct Item {
    var type: String
    var contentType = ""
    /// Whether its bytes are coded once more (deflate).
    var isEncoded = false
    var location: HEIFLocation?
    var properties: [HEIFProperty] = []
    /// Essential properties that are not known here.
    var unknown: [String] = []
  }

  /// One end of references: their type and an item.
  private struct End: Hashable {
    let type: String
    let item: Int
  }

  // More than these no still picture has; a byte of the tables can be one of them, and each takes many
  // times that.
  private static let mostItems = 1 << 18
  private static let mostProperties = 0x7FFF
  private static let mostLinks = 1 << 20

  private(set) var items: [Int: Item] = [:]
  // Kept by both ends: looking through a list of them for each of them would take minutes.
  private var targets: [End: [Int]] = [:]
  private var sources: [End: [Int]] = [:]
  /// Items that stand for each other, preferred ones first.
  private(set) var alternatives: [[Int]] = []
  private(set) var primary = 0
  /// Bytes of items that are stored among the tables.
  private(set) var inline: ArraySlice<UInt8> = []

  subscript(_ number: Int) -> Item? { items[number] }

  /// What `number` points to with `type`.
  func targets(_ type: String, of number: Int) -> [Int] {
    targets[End(type: type, item: number)] ?? []
  }

  /// The items that point to `number` with `type`, in ascending order.
  func sources(_ type: String, to number: Int) -> [Int] {
    (sources[End(type: type, item: number)] ?? []).sorted()
  }

  init(meta: ISOCursor) throws(ReadError) {
    var meta = meta
    _ = try meta.version()
    var boxes: [String: ISOCursor] = [:]
    while let box = try meta.box() {
      guard
        boxes.updateValue(box.content, forKey: box.type) == nil || box.type == "uuid"
          || box.type == "free" || box.type == "skip"
      else { throw ISOCursor.damaged("box \(ISOBox.shown(box.type)) is there twice") }
    }
    guard var handler = boxes["hdlr"], let info = boxes["iinf"], var first = boxes["pitm"] else {
      throw ISOCursor.damaged("the table of pictures lacks a part")
    }
    _ = try handler.take(8)
    guard try handler.name() == "pict" else {
      throw ReadError(.unsupported, "its items are no pictures; give a still picture")
    }
    primary = try first.version().version == 0 ? try first.u16() : try first.u32()
    try readInfos(info)
    if let box = boxes["iloc"] {
      for (number, location) in try HEIFLocation.list(box) { items[number]?.location = location }
    }
    if let box = boxes["iref"] { try readReferences(box) }
    if let box = boxes["iprp"] { try readProperties(box) }
    if let box = boxes["grpl"] { try readGroups(box) }
    inline = boxes["idat"]?.bytes ?? []
    guard items[primary] != nil else {
      throw ISOCursor.damaged("the main picture, item \(primary), is not there")
    }
  }

  private mutating func readInfos(_ box: ISOCursor) throws(ReadError) {
    var box = box
    var total = 0
    _ = try box.version().version == 0 ? try box.u16() : try box.u32()
    while let entry = try box.box() {
      guard entry.type == "infe" else { continue }
      try count(&total, upTo: Self.mostItems)
      var content = entry.content
      let version = try content.version().version
      guard version == 2 || version == 3 else { continue }
      let number = version == 2 ? try content.u16() : try content.u32()
      _ = try content.u16()
      var item = Item(type: try content.name())
      _ = content.text()
      if item.type == "mime" {
        item.contentType = content.text()
        item.isEncoded = !content.text().isEmpty
      }
      guard items.updateValue(item, forKey: number) == nil else {
        throw ISOCursor.damaged("item \(number) is there twice")
      }
    }
  }

  /// Adds `more` to `total`; throws beyond `most`.
  private func count(_ total: inout Int, _ more: Int = 1, upTo most: Int) throws(ReadError) {
    total += more
    guard total <= most else {
      throw ReadError(.tooLarge, "its tables list more than \(most) things; export it again")
    }
  }

  private mutating func readReferences(_ box: ISOCursor) throws(ReadError) {
    var box = box
    let wide = try box.version().version != 0
    var links = 0
    while let entry = try box.box() {
      var content = entry.content
      let from = wide ? try content.u32() : try content.u16()
      var to: [Int] = []
      for _ in 0..<(try content.u16()) { to.append(wide ? try content.u32() : try content.u16()) }
      try count(&links, to.count + 1, upTo: Self.mostLinks)
      let start = End(type: entry.type, item: from)
      if targets[start] == nil { targets[start] = to }
      for item in to {
        let end = End(type: entry.type, item: item)
        if sources[end]?.last != from { sources[end, default: []].append(from) }
      }
    }
  }

  private mutating func readProperties(_ box: ISOCursor) throws(ReadError) {
    var box = box
    var list: [(type: String, property: HEIFProperty?)] = []
    var links = 0
    while let part = try box.box() {
      var content = part.content
      switch part.type {
      case "ipco":
        while let property = try content.box() {
          guard list.count < Self.mostProperties else { break }
          list.append((property.type, try HEIFProperty(property)))
        }
      case "ipma":
        let (version, flags) = try content.version()
        for _ in 0..<(try content.u32()) {
          let number = version == 0 ? try content.u16() : try content.u32()
          for _ in 0..<(try content.u8()) {
            let word = flags & 1 == 0 ? try content.u8() : try content.u16()
            let (mask, index) = flags & 1 == 0 ? (0x80, word & 0x7F) : (0x8000, word & 0x7FFF)
            if index == 0 { continue }
            try count(&links, upTo: Self.mostLinks)
            guard index <= list.count else {
              throw ISOCursor.damaged("a property of item \(number) is not there")
            }
            let (type, property) = list[index - 1]
            if let property {
              items[number]?.properties.append(property)
            } else if word & mask != 0 {
              items[number]?.unknown.append(type)
            }
          }
        }
      default: break
      }
    }
  }

  private mutating func readGroups(_ box: ISOCursor) throws(ReadError) {
    var box = box
    while let group = try box.box() {
      guard group.type == "altr" else { continue }
      var content = group.content
      _ = try content.take(8)
      var members: [Int] = []
      for _ in 0..<(try content.u32()) { members.append(try content.u32()) }
      alternatives.append(members)
    }
  }
}
