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

  /// From one item to others, in the order of the file.
  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
  }

  private(set) var items: [Int: Item] = [:]
  private(set) var references: [Reference] = []
  /// Items that stand for each other, preferred ones first.
  private(set) var alternatives: [[Int]] = []
  private(set) var primary = 0
  /// Bytes of items that are stored among the tables.
  private(set) var inline: ArraySlice<UInt8> = []

  subscript(_ number: Int) -> Item? { items[number] }

  /// What `number` points to with `type`.
  func targets(_ type: String, of number: Int) -> [Int] {
    references.first { $0.type == type && $0.from == number }?.to ?? []
  }

  /// The items that point to `number` with `type`, in ascending order.
  func sources(_ type: String, to number: Int) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(number) }.map(\.from).sorted()
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
    _ = try box.version().version == 0 ? try box.u16() : try box.u32()
    while let entry = try box.box() {
      guard entry.type == "infe" else { continue }
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

  private mutating func readReferences(_ box: ISOCursor) throws(ReadError) {
    var box = box
    let wide = try box.version().version != 0
    while let entry = try box.box() {
      var content = entry.content
      let from = wide ? try content.u32() : try content.u16()
      var to: [Int] = []
      for _ in 0..<(try content.u16()) { to.append(wide ? try content.u32() : try content.u16()) }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ box: ISOCursor) throws(ReadError) {
    var box = box
    var list: [(type: String, property: HEIFProperty?)] = []
    while let part = try box.box() {
      var content = part.content
      switch part.type {
      case "ipco":
        while let property = try content.box() {
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
