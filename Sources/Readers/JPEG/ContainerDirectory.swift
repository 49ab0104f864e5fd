import HDRRender

/// The list of pictures behind a primary JPEG that Android writes into its XMP
/// (`http://ns.google.com/photos/1.0/container/`).
///
/// Items follow the primary in the order of the list, each `Length` bytes long, so their places are
/// known from the end of the file, or from the end of the primary and its `Padding`. Read as
/// attributes or as elements; the first 64 items.
struct ContainerDirectory {
  struct Item {
    var semantic = ""
    var length: Int?
    var padding = 0
  }

  private static let namespace = "http://ns.google.com/photos/1.0/container/"
  private static let mostItems = 64

  /// The items, the primary first.
  private(set) var items: [Item] = []

  /// Whether one of the items is a gain map.
  var hasGainMap: Bool { items.contains { $0.semantic == "GainMap" } }

  /// The list in `packet`; empty when there is none.
  init(xmp packet: [UInt8]) {
    guard String(decoding: packet, as: UTF8.self).contains(Self.namespace) else { return }
    var rest = packet[...]
    var isOpen = false
    while let start = rest.firstIndex(of: UInt8(ascii: "<")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: ">")), items.count < Self.mostItems
    {
      let tag = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      let (name, attributes) = XMLTag.parts(tag)
      let local = Self.local(name)
      if local == "Item" {
        isOpen = !name.hasPrefix("/") && tag.last != UInt8(ascii: "/")
        if name.hasPrefix("/") { continue }
        items.append(Item())
        for (key, value) in attributes { set(Self.local(key), value) }
      } else if isOpen, !name.hasPrefix("/") {
        set(local, XMLTag.text(Array(rest.prefix(256).prefix { $0 != UInt8(ascii: "<") })))
      }
    }
  }

  private static func local(_ name: String) -> String {
    let name = name.hasPrefix("/") ? name.dropFirst() : name[...]
    return String(name.split(separator: ":", maxSplits: 1).last ?? "")
  }

  private mutating func set(_ name: String, _ value: String) {
    let last = items.count - 1
    switch name {
    case "Semantic": items[last].semantic = value
    case "Length": items[last].length = Int(value).flatMap { $0 > 0 ? $0 : nil }
    case "Padding": items[last].padding = max(Int(value) ?? 0, 0)
    default: break
    }
  }

  /// Where the gain map may start in a file of `count` bytes whose primary ends at `end`.
  func gainMapStarts(count: Int, end: Int?) -> [Int] {
    guard let index = items.firstIndex(where: { $0.semantic == "GainMap" }), index > 0 else {
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
}
