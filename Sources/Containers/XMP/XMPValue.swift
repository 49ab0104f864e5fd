/// The value of an XMP property. Texts are the same where their bytes are.
public indirect enum XMPValue: Sendable, Hashable {
  /// A text; numbers and truth values are texts too.
  case text(String)
  /// The items of an rdf:Seq, rdf:Bag or rdf:Alt.
  case list([XMPValue])
  /// Fields of their own: never fields of what holds the structure.
  case structure([XMPName: XMPValue])

  /// Whether both are of one kind, with the same texts.
  public static func == (first: XMPValue, second: XMPValue) -> Bool {
    switch (first, second) {
    case (.text(let one), .text(let other)): one.isSame(as: other)
    case (.list(let one), .list(let other)): one == other
    case (.structure(let one), .structure(let other)): one == other
    default: false
    }
  }

  /// Hashes the bytes of all texts.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): text.hashBytes(into: &hasher)
    case .list(let items): hasher.combine(items)
    case .structure(let fields): hasher.combine(fields)
    }
  }

  /// The text, without white space around it; nil for lists and structures.
  public var text: String? {
    guard case .text(let text) = self else { return nil }
    return text.trimmingSpace
  }

  /// The finite decimal number that the text is.
  public var number: Double? {
    // Double(_:) takes "nan" and hexadecimal numbers as well.
    guard let text, text.utf8.allSatisfy({ (0x2B...0x39).contains($0) || $0 | 0x20 == 0x65 }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The truth value that the text is: True, False, 1 or 0.
  public var truth: Bool? {
    guard let text, text.utf8.count <= "false".utf8.count else { return nil }
    return switch text.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// The value of `name` in a structure.
  public subscript(name: XMPName) -> XMPValue? {
    guard case .structure(let fields) = self else { return nil }
    return fields[name]
  }

  /// One short line for reports, safe to show on a terminal.
  public var summary: String {
    switch self {
    case .list(let items):
      return items.count == 1 ? "1 item" : "\(items.count) items"
    case .structure(let fields):
      let name = fields.first { $0.key.name.isSame(as: "Name") }?.value.text
      return name.map { XMPValue.text($0).summary }
        ?? (fields.count == 1 ? "1 field" : "\(fields.count) fields")
    case .text(let text):
      let printable = text.trimmingSpace.unicodeScalars.prefix(81).map { scalar in
        scalar.properties.generalCategory == .control ? " " : String(scalar)
      }
      return printable.count > 80 ? printable.prefix(79).joined() + "…" : printable.joined()
    }
  }
}

extension String {
  /// Without XML's white space at both ends.
  package var trimmingSpace: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isSpace($0) }),
      let last = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    let isUnchanged = first == utf8.startIndex && utf8.index(after: last) == utf8.endIndex
    return isUnchanged ? self : String(Substring(utf8[first...last]))
  }
}
