import Testing

/// The boxes of a HEIF file, read without the code that wrote them.
struct ParsedHEIF {
  struct Item {
    var type = ""
    var isHidden = false
    var contentType = ""
    var data: [UInt8] = []
    /// Kind and items, in order.
    var references: [(kind: String, to: [Int])] = []
    /// Complete boxes, and whether each is essential.
    var properties: [(box: [UInt8], isEssential: Bool)] = []

    func property(_ type: String) -> [UInt8]? {
      properties.first { Array($0.box[4..<8]) == Array(type.utf8) }?.box
    }
    func reference(_ kind: String) -> [Int]? { references.first { $0.kind == kind }?.to }
  }

  private(set) var brands: [String] = []
  private(set) var primary = 0
  private(set) var items: [Int: Item] = [:]
  /// Number of the group and its items.
  private(set) var alternatives: (number: Int, items: [Int])?
  private let bytes: [UInt8]

  func first(_ type: String) throws -> (number: Int, item: Item) {
    let found = items.sorted { $0.key < $1.key }.first { $0.value.type == type }
    return try #require(found.map { ($0.key, $0.value) })
  }

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let top = try boxes(0..<bytes.count)
    let ftyp = try #require(top.first { $0.type == "ftyp" }).body
    brands = stride(from: ftyp.lowerBound, to: ftyp.upperBound, by: 4).filter {
      $0 != ftyp.lowerBound + 4
    }.map { text($0..<($0 + 4)) }
    let meta = try #require(top.first { $0.type == "meta" }).body
    let inner = try boxes((meta.lowerBound + 4)..<meta.upperBound)
    func body(_ type: String) throws -> Range<Int> {
      try #require(inner.first { $0.type == type }).body
    }
    primary = number(try body("pitm").lowerBound + 4, 2)
    let infos = try body("iinf")
    for info in try boxes((infos.lowerBound + 6)..<infos.upperBound) {
      let at = info.body.lowerBound
      var item = Item()
      item.isHidden = bytes[at + 3] & 1 != 0
      item.type = text((at + 8)..<(at + 12))
      item.contentType = text((at + 13)..<info.body.upperBound)
      items[number(at + 4, 2)] = item
    }
    let idat = inner.first { $0.type == "idat" }?.body
    var at = try body("iloc").lowerBound + 8
    for _ in 0..<number(at - 2, 2) {
      let (id, method) = (number(at, 2), number(at + 2, 2))
      let offset = number(at + 8, 4) + (method == 1 ? try #require(idat).lowerBound : 0)
      let length = number(at + 12, 4)
      items[id]?.data = Array(bytes[offset..<(offset + length)])
      at += 16
    }
    if let references = inner.first(where: { $0.type == "iref" })?.body {
      for box in try boxes((references.lowerBound + 4)..<references.upperBound) {
        let start = box.body.lowerBound
        let to = (0..<number(start + 2, 2)).map { number(start + 4 + 2 * $0, 2) }
        items[number(start, 2)]?.references.append((box.type, to))
      }
    }
    try readProperties(try boxes(try body("iprp")))
    if let group = inner.first(where: { $0.type == "grpl" })?.body {
      let altr = try #require(try boxes(group).first { $0.type == "altr" }).body.lowerBound
      let count = number(altr + 8, 4)
      alternatives = (
        number(altr + 4, 4), (0..<count).map { number(altr + 12 + 4 * $0, 4) }
      )
    }
  }

  private mutating func readProperties(_ inner: [(type: String, body: Range<Int>)]) throws {
    let all = try boxes(try #require(inner.first { $0.type == "ipco" }).body).map {
      Array(bytes[($0.body.lowerBound - 8)..<$0.body.upperBound])
    }
    let ipma = try #require(inner.first { $0.type == "ipma" }).body
    let isWide = bytes[ipma.lowerBound + 3] & 1 != 0
    var at = ipma.lowerBound + 8
    for _ in 0..<number(ipma.lowerBound + 4, 4) {
      let (id, count) = (number(at, 2), number(at + 2, 1))
      at += 3
      for _ in 0..<count {
        let value = number(at, isWide ? 2 : 1)
        let flag = isWide ? 0x8000 : 0x80
        items[id]?.properties.append((all[(value & (flag - 1)) - 1], value & flag != 0))
        at += isWide ? 2 : 1
      }
    }
    #expect(at == ipma.upperBound)
  }

  private func number(_ at: Int, _ count: Int) -> Int {
    bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) }
  }
  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
  }
  private func boxes(_ range: Range<Int>) throws -> [(type: String, body: Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let size = number(at, 4)
      try #require(size >= 8 && at + size <= range.upperBound)
      found.append((text((at + 4)..<(at + 8)), (at + 8)..<(at + size)))
      at += size
    }
    return found
  }
}
