/// The order of names in which numbers count as numbers: `IMG_9` is before `IMG_10`.
struct NaturalOrder: Comparable {
  private enum Part: Comparable {
    case number([UInt8])
    case text([UInt8])

    static func < (a: Part, b: Part) -> Bool {
      switch (a, b) {
      // Without leading zeros: the longer is the larger.
      case (.number(let a), .number(let b)):
        (a.count, String(decoding: a, as: UTF8.self)) < (
          b.count, String(decoding: b, as: UTF8.self)
        )
      case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }

  private let parts: [Part]
  private let name: [UInt8]

  init(_ name: String) {
    self.name = Array(name.utf8)
    var parts: [Part] = []
    var rest = self.name[...]
    while let first = rest.first {
      let run = rest.prefix { Self.isDigit($0) == Self.isDigit(first) }
      rest = rest.dropFirst(run.count)
      parts.append(Self.isDigit(first) ? .number(Array(run.drop { $0 == 48 })) : .text(Array(run)))
    }
    self.parts = parts
  }

  /// The last number in the name without its extension; nil for none, or a huge one.
  var number: Int? {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    guard let end = stem.lastIndex(where: Self.isDigit) else { return nil }
    let start = stem[..<end].lastIndex { !Self.isDigit($0) }.map { $0 + 1 } ?? 0
    return Int(String(decoding: stem[start...end], as: UTF8.self))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  static func < (a: NaturalOrder, b: NaturalOrder) -> Bool {
    for (x, y) in zip(a.parts, b.parts) where x != y { return x < y }
    return a.parts.count != b.parts.count
      ? a.parts.count < b.parts.count : a.name.lexicographicallyPrecedes(b.name)
  }
}
