package import ImageCore

/// The tables of a HEIF or AVIF file, as its `meta` box lists them: items, the locations of their
/// bytes, their properties, and their relations (ISO/IEC 14496-12:2022 8.11 and 8.18, ISO/IEC
/// 23008-12:2022 9). Read, edited and written; unknown parts are preserved.
///
/// Reading accepts whatever a reader of pictures can ignore. What would be lost or broken when the
/// tables are written again is recorded in ``obstacle``.
package struct HEIFMeta {
  /// A box of `meta`.
  package enum Child: Equatable {
    case copied([UInt8])
    case primary, infos, references, properties, inline, locations, groups
  }

  /// Where the bytes of an item are.
  package enum Storage {
    /// As in the tables that were read.
    case located(HEIFLocation)
    /// Ranges of the file, or of the inline data.
    case source([Range<Int>], isInline: Bool)
    case new([UInt8], isInline: Bool)
  }

  package struct Association: Equatable {
    /// Index in ``HEIFMeta/properties``.
    package var property: Int
    package var isEssential: Bool
  }

  package struct Item {
    /// Its complete `infe` box.
    package var info: [UInt8]
    package var type = ""
    package var contentType = ""
    /// Whether its bytes are coded once more (deflate).
    var isEncoded = false
    /// Whether its entry has a type: version 2 or later.
    var isTyped = true
    /// nil: the item has no bytes.
    package var storage: Storage?
    package var associations: [Association] = []

    /// Whether it is an XMP packet.
    package var isXMP: Bool { contentType.isSame(as: HEIFMeta.xmpType) }
  }

  package struct Reference: Equatable {
    package var type: String
    package var from: Int
    package var to: [Int]

    package init(type: String, from: Int, to: [Int]) {
      (self.type, self.from, self.to) = (type, from, to)
    }
  }

  package struct Group {
    package var type: String
    /// Version and flags, number.
    package var head: [UInt8]
    package var members: [Int]
    /// What follows the members.
    package var tail: [UInt8]
  }

  /// Content type of an XMP packet.
  package static let xmpType = "application/rdf+xml"

  /// Version and flags.
  package private(set) var head: [UInt8] = [0, 0, 0, 0]
  package private(set) var children: [Child] = []
  package var primary = 0
  package var items: [Int: Item] = [:]
  /// Numbers of the items, in the order of the file.
  package internal(set) var order: [Int] = []
  package var references: [Reference] = []
  /// Complete property boxes.
  package internal(set) var properties: [[UInt8]] = []
  /// Boxes of `iprp` that are neither `ipco` nor `ipma`.
  private(set) var otherPropertyBoxes: [UInt8] = []
  package var groups: [Group] = []
  /// The content of the `idat` that was read.
  package private(set) var inline: [UInt8] = []
  /// Versions of `pitm`, `iinf`, `iref`, `iloc`: preserved where possible.
  private(set) var versions: [String: Int] = [:]
  /// The highest number of an item.
  var lastNumber = 0
  /// What would differ in the tables once they are written again; nil for nothing.
  package private(set) var obstacle: FormatError?

  /// Tables of pictures without any.
  package init() {
    var handler = BoxWriter()
    handler.fullBox("hdlr") {
      $0.u32(0)
      $0.append("pict".utf8)
      for _ in 0..<3 { $0.u32(0) }
      $0.u8(0)
    }
    children = [
      .copied(handler.bytes), .primary, .locations, .infos, .references, .properties, .inline,
      .groups,
    ]
  }

  /// The tables in the content of a `meta` box. One byte of a table can stand for an entry that
  /// takes many bytes of memory: each table has limits of its own.
  package init(_ content: ByteCursor, _ limits: DecodeLimits) throws(FormatError) {
    var meta = content
    head = Array(try meta.take(4))
    var boxes: [String: ByteCursor] = [:]
    var count = ItemCount("boxes", limits)
    while let box = try meta.box() {
      try count.add()
      guard
        boxes.updateValue(box.content, forKey: box.type) == nil || box.type == "uuid"
          || box.type == "free" || box.type == "skip"
      else { throw .contradiction("box \(ISOBox.shown(box.type)) occurs twice") }
      children.append(Self.child(box))
    }
    guard var handler = boxes["hdlr"], let info = boxes["iinf"], var first = boxes["pitm"] else {
      throw .contradiction("its meta box lacks hdlr, iinf or pitm")
    }
    _ = try handler.take(8)
    guard try handler.name() == "pict" else {
      throw FormatError(.unsupported, "its meta box holds no pictures; give a still picture")
    }
    versions["pitm"] = try first.version().version
    primary = versions["pitm"] == 0 ? try first.u16() : try first.u32()
    try readInfos(info, ItemCount("items", limits))
    if let box = boxes["iloc"] { try readLocations(box, ItemCount("item extents", limits)) }
    if let box = boxes["iref"] { try readReferences(box, ItemCount("references", limits)) }
    if let box = boxes["iprp"] {
      try readProperties(box, ItemCount("item properties", limits))
    }
    if let box = boxes["grpl"] { try readGroups(box, ItemCount("items in groups", limits)) }
    inline = Array(boxes["idat"]?.rest ?? [])
    guard items[primary]?.isTyped == true else {
      throw .contradiction("the primary item \(primary) is missing")
    }
  }

  /// Of tables that an editor of files does not take.
  static func refused(_ what: String) -> FormatError {
    FormatError(.unsupported, "\(what); save it again in another program, then edit that file")
  }

  private mutating func hinder(_ error: FormatError) { obstacle = obstacle ?? error }

  private static func child(_ box: ISOBox) -> Child {
    switch box.type {
    case "pitm": .primary
    case "iinf": .infos
    case "iref": .references
    case "iprp": .properties
    case "iloc": .locations
    case "idat": .inline
    case "grpl": .groups
    default: .copied(box.bytes)
    }
  }

  private mutating func readInfos(_ box: ByteCursor, _ count: ItemCount) throws(FormatError) {
    var (box, count) = (box, count)
    let version = try box.version().version
    versions["iinf"] = version
    _ = version == 0 ? try box.u16() : try box.u32()
    while let entry = try box.box() {
      guard entry.type == "infe" else {
        hinder(Self.refused("its iinf box has other boxes than infe"))
        continue
      }
      try count.add()
      var content = entry.content
      let version = try content.version().version
      let number = version == 3 ? try content.u32() : try content.u16()
      let protection = try content.u16()
      if version > 3 || protection != 0 {
        hinder(Self.refused("item \(number) is protected, or its infe version is unsupported"))
      }
      if version > 3 { continue }
      var item = Item(info: entry.bytes, isTyped: version >= 2)
      if version >= 2 {
        item.type = try content.name()
        _ = content.text()
        if item.type == "mime" {
          item.contentType = content.text()
          item.isEncoded = !content.text().isEmpty
          if item.isEncoded { hinder(Self.refused("item \(number) has a content encoding")) }
        }
      }
      guard items.updateValue(item, forKey: number) == nil else {
        throw .contradiction("item \(number) occurs twice")
      }
      order.append(number)
      lastNumber = max(lastNumber, number)
    }
  }

  private mutating func readLocations(_ box: ByteCursor, _ count: ItemCount) throws(FormatError) {
    var content = box
    versions["iloc"] = try content.version().version
    for (number, location) in try HEIFLocation.list(box, count) {
      if items[number] == nil {
        hinder(.contradiction("an iloc entry names the missing item \(number)"))
      } else if items[number]?.storage != nil {
        hinder(.contradiction("item \(number) has two iloc entries"))
      }
      items[number]?.storage = .located(location)
    }
  }

  private mutating func readReferences(_ box: ByteCursor, _ count: ItemCount) throws(FormatError) {
    var (box, links) = (box, count)
    let version = try box.version().version
    versions["iref"] = version
    if version > 1 { hinder(Self.refused("its iref version \(version) is unsupported")) }
    while let entry = try box.box() {
      var content = entry.content
      func number() throws(FormatError) -> Int {
        version == 0 ? try content.u16() : try content.u32()
      }
      let from = try number()
      var to: [Int] = []
      for _ in 0..<(try content.u16()) { to.append(try number()) }
      try links.add(to.count + 1)
      if !content.isEmpty { hinder(Self.refused("an iref entry has unknown trailing bytes")) }
      references.append(Reference(type: entry.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ box: ByteCursor, _ count: ItemCount) throws(FormatError) {
    var (box, links) = (box, count)
    while let part = try box.box() {
      switch part.type {
      case "ipco":
        if !properties.isEmpty { hinder(Self.refused("it has two ipco boxes")) }
        var content = part.content
        while let property = try content.box() {
          guard properties.count < FormatLimits.itemProperties else {
            hinder(Self.refused("it has more than \(FormatLimits.itemProperties) properties"))
            break
          }
          properties.append(property.bytes)
        }
      case "ipma": try readAssociations(part.content, &links)
      default: otherPropertyBoxes += part.bytes
      }
    }
  }

  private mutating func readAssociations(
    _ box: ByteCursor, _ links: inout ItemCount
  ) throws(FormatError) {
    var content = box
    let (version, flags) = try content.version()
    if version > 1 { hinder(Self.refused("its ipma version \(version) is unsupported")) }
    for _ in 0..<(try content.u32()) {
      let number = version == 0 ? try content.u16() : try content.u32()
      if items[number] == nil {
        hinder(.contradiction("an ipma entry names the missing item \(number)"))
      }
      for _ in 0..<(try content.u8()) {
        let word = flags & 1 == 0 ? try content.u8() : try content.u16()
        let (mask, index) = flags & 1 == 0 ? (0x80, word & 0x7F) : (0x8000, word & 0x7FFF)
        if index == 0 { continue }
        try links.add()
        guard index <= properties.count else {
          throw .contradiction("a property of item \(number) is missing")
        }
        items[number]?.associations.append(
          Association(property: index - 1, isEssential: word & mask != 0))
      }
    }
  }

  /// Groups of a type that no reader uses may be damaged.
  private mutating func readGroups(_ box: ByteCursor, _ count: ItemCount) throws(FormatError) {
    var (box, count) = (box, count)
    while let entry = try box.box() {
      do throws(FormatError) {
        var content = entry.content
        let head = Array(try content.take(8))
        try count.add()
        var members: [Int] = []
        for _ in 0..<(try content.u32()) {
          try count.add()
          members.append(try content.u32())
        }
        groups.append(
          Group(type: entry.type, head: head, members: members, tail: Array(content.rest)))
      } catch {
        guard entry.type != "altr" else { throw error }
        hinder(error)
      }
    }
  }
}

// MARK: Looking up

extension HEIFMeta {
  /// What `number` points to with `type`.
  package func targets(_ type: String, of number: Int) -> [Int] {
    references.first { $0.type == type && $0.from == number }?.to ?? []
  }

  /// What each item points to with `type`, as ``targets(_:of:)`` finds it: for as many items as a
  /// file can list, looking through all references for each takes hours.
  package func targets(_ type: String) -> [Int: [Int]] {
    var targets: [Int: [Int]] = [:]
    for reference in references where reference.type == type && targets[reference.from] == nil {
      targets[reference.from] = reference.to
    }
    return targets
  }

  /// The items that point to `number` with `type`.
  package func sources(_ type: String, to number: Int) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(number) }.map(\.from)
  }

  /// Type of a property box.
  package func type(of property: Int) -> String {
    properties.indices.contains(property) ? ISOBox.name(properties[property][4..<8]) : ""
  }

  /// The name of auxiliary pictures that a property gives; nil for another property.
  package func auxiliaryType(of property: Int) -> String? {
    guard type(of: property) == "auxC" else { return nil }
    return String(decoding: properties[property].dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether the item is not displayed on its own.
  package func isHidden(_ number: Int) -> Bool {
    (items[number]?.info).map { $0.count > 11 && $0[11] & 1 == 1 } ?? false
  }

  /// The new bytes of all items that are stored there, in order.
  func added(inline wanted: Bool) -> [(number: Int, bytes: [UInt8])] {
    order.compactMap { number in
      guard case .new(let bytes, let isInline) = items[number]?.storage, isInline == wanted else {
        return nil
      }
      return (number, bytes)
    }
  }

  func sourceRanges(inline wanted: Bool) -> [Range<Int>] {
    order.flatMap { number -> [Range<Int>] in
      guard case .source(let ranges, let isInline) = items[number]?.storage, isInline == wanted
      else { return [] }
      return ranges
    }
  }
}
