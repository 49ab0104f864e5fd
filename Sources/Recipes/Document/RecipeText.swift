/// Values as text: YAML that means the same in versions 1.1 and 1.2, and JSON. Keys are in the
/// order of `topKeys` and then alphabetical, so that the same values give the same bytes.
enum RecipeText {
  /// The keys of a document, in their usual order.
  private static let topKeys = [
    "schema", "name", "description", PictureMarks.ratingKey, PictureMarks.pickKey, "extends",
    "root", "rules", "match", "raw", "render", "outputs",
  ]
  /// The first keys of outputs.
  private static let firstKeys = ["format", "name"]

  /// The keys of `map`, `depth` levels below the root, in order.
  private static func keys(_ map: [String: RecipeValue], depth: Int) -> [String] {
    let first = depth == 0 ? topKeys : ["match"] + firstKeys
    func rank(_ key: String) -> Int { first.firstIndex(of: key) ?? first.count }
    return map.keys.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  /// A document in YAML.
  static func yaml(_ value: RecipeValue) -> String {
    var text = ""
    block(value, depth: 0, indent: "", into: &text)
    return text
  }

  /// A document in JSON.
  static func json(_ value: RecipeValue) -> String {
    var text = ""
    json(value, depth: 0, indent: "", into: &text)
    return text + "\n"
  }

  /// Writes a value on lines of its own, each of which begins with `indent`, except the first line
  /// of a list's item.
  private static func block(
    _ value: RecipeValue, depth: Int, indent: String, into text: inout String, isItem: Bool = false
  ) {
    var lead = isItem ? "" : indent
    switch value {
    case .map(let map) where !map.isEmpty:
      for key in keys(map, depth: depth) {
        text += lead + plain(key) + ":"
        lead = indent
        follow(map[key] ?? .null, depth: depth + 1, indent: indent, into: &text)
      }
    case .list(let list) where !isFlow(value):
      for item in list {
        text += lead + "- "
        lead = indent
        block(item, depth: depth + 1, indent: indent + "  ", into: &text, isItem: true)
      }
    default: text += lead + flow(value) + "\n"
    }
  }

  private static func follow(
    _ value: RecipeValue, depth: Int, indent: String, into text: inout String
  ) {
    if isFlow(value) {
      text += " " + flow(value) + "\n"
    } else {
      text += "\n"
      block(value, depth: depth, indent: indent + "  ", into: &text)
    }
  }

  /// Whether the value is written on the line of its key: scalars and lists of scalars.
  private static func isFlow(_ value: RecipeValue) -> Bool {
    switch value {
    case .map(let map): map.isEmpty
    case .list(let list):
      list.allSatisfy {
        switch $0 {
        case .map, .list: false
        default: true
        }
      }
    default: true
    }
  }

  /// A value on one line.
  static func flow(_ value: RecipeValue) -> String {
    var text = ""
    flow(value, longest: .max, into: &text)
    return text
  }

  /// A value on one line; of one that takes more than `longest` bytes the beginning, with an
  /// ellipsis. No more of it is looked at: aliases make long values of short documents.
  static func line(_ value: RecipeValue, longest: Int) -> String {
    var text = ""
    flow(value, longest: longest, into: &text)
    guard text.utf8.count > longest else { return text }
    return String(text[..<text.utf8.index(text.startIndex, offsetBy: longest)]) + "…"
  }

  /// Appends a value on one line, until `text` has more than `longest` bytes.
  private static func flow(_ value: RecipeValue, longest: Int, into text: inout String) {
    func beginning(_ text: String) -> String {
      text.utf8.count > longest ? String(text.unicodeScalars.prefix(longest + 1)) : text
    }
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += self.number(number)
    case .text(let string): text += plain(beginning(string))
    case .list(let list):
      text += "["
      for (index, item) in list.enumerated() {
        guard text.utf8.count <= longest else { return }
        if index > 0 { text += ", " }
        flow(item, longest: longest, into: &text)
      }
      text += "]"
    case .map(let map):
      text += "{"
      for (index, key) in keys(map, depth: 1).enumerated() {
        guard text.utf8.count <= longest else { return }
        if index > 0 { text += ", " }
        text += plain(beginning(key)) + ": "
        flow(map[key] ?? .null, longest: longest, into: &text)
      }
      text += "}"
    }
  }

  private static func json(
    _ value: RecipeValue, depth: Int, indent: String, into text: inout String
  ) {
    let inner = indent + "  "
    switch value {
    case .text(let string): text += quoted(string)
    case .list(let list) where !isFlow(value):
      text += "["
      for (index, item) in list.enumerated() {
        text += (index == 0 ? "\n" : ",\n") + inner
        json(item, depth: depth + 1, indent: inner, into: &text)
      }
      text += "\n" + indent + "]"
    case .list(let list):
      text +=
        "["
        + list.map { if case .text(let s) = $0 { quoted(s) } else { flow($0) } }
        .joined(separator: ", ") + "]"
    case .map(let map) where !map.isEmpty:
      text += "{"
      for (index, key) in keys(map, depth: depth).enumerated() {
        text += (index == 0 ? "\n" : ",\n") + inner + quoted(key) + ": "
        json(map[key] ?? .null, depth: depth + 1, indent: inner, into: &text)
      }
      text += "\n" + indent + "}"
    default: text += flow(value)
    }
  }

  /// The shortest text that reads back as the same number, with a point before an exponent, as YAML
  /// 1.1 requires. NaN and infinity become null, as in JSON.
  static func number(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let integer = Int(exactly: number), abs(number) < 0x1p53 { return String(integer) }
    let text = "\(number)"
    guard let e = text.firstIndex(of: "e"), !text.contains(".") else { return text }
    return text[..<e] + ".0" + text[e...]
  }

  private static let words: Set<String> = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null",
  ]

  /// A text, without quotes where that is the same text for every reader.
  static func plain(_ text: String) -> String {
    let rest: Set<UInt8> = Set(" ./+-%".utf8)
    guard let first = text.utf8.first, first.isWordByte, !(0x30...0x39).contains(first),
      text.utf8.allSatisfy({ $0.isWordByte || rest.contains($0) }), text.utf8.last != 0x20,
      text.utf8.count < 80, !words.contains(text.lowercased())
    else { return quoted(text) }
    return text
  }

  /// A text in double quotes, for YAML and JSON.
  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += #"\""#
      case "\\": out += #"\\"#
      case "\n": out += #"\n"#
      case "\r": out += #"\r"#
      case "\t": out += #"\t"#
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}",
        "\u{FFFE}", "\u{FFFF}":
        let hex = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}

extension RecipeValue {
  /// As a YAML document.
  public var yaml: String { RecipeText.yaml(self) }
  /// As a JSON document.
  public var json: String { RecipeText.json(self) }
  /// On one line, for people; of one that takes more than 2000 bytes the beginning.
  public var line: String { RecipeText.line(self, longest: 2000) }
  /// The same for messages, which are short: of a longer one its type.
  var brief: String {
    let line = RecipeText.line(self, longest: 60)
    return line.utf8.count > 60 ? kind : line
  }
}
