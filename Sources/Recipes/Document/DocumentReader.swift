import ImageCore
import Yams

/// Parses YAML 1.2 or JSON into values and their lines. Keys are texts, unique in their map; tags
/// outside the core schema are refused.
///
/// Yams expands every alias, and compares keys with all their contents: a file of a few lines
/// can exhaust memory. So `*` and `?`, which begin aliases and complex keys, are replaced by
/// characters of the private-use area before parsing. Aliases are expanded here, with limits for
/// the number of values and the length of their texts; complex keys are refused.
struct DocumentReader {
  private struct Anchored {
    var value: RecipeValue
    var lines: DocumentLines
    var count = 0
    /// Bytes of its keys and texts.
    var length = 0
    var height: Int
  }

  private let path: String?
  private let limits: DecodeLimits
  /// Replacements of `*` and `?`.
  private let star: Unicode.Scalar, mark: Unicode.Scalar
  private var anchors: [String: Anchored] = [:]
  private var count = 0
  private var length = 0

  /// Parses `text`; errors name `path` and the line.
  static func read(
    _ text: String, path: String?, limits: DecodeLimits = DecodeLimits()
  ) throws(RecipeError) -> (RecipeValue, DocumentLines) {
    guard text.utf8.count <= RecipeLimits.documentBytes else { throw DocumentFile.tooLarge(path) }
    guard !CombiningMarks.areTooMany(in: text.unicodeScalars) else {
      throw RecipeError(.malformed, CombiningMarks.refusal, path: path)
    }
    if let line = lineOfTagDirective(text) {
      throw RecipeError(
        .malformed, "%TAG names kinds of values that recipes do not have; leave it out",
        path: path, line: line)
    }
    var text = text
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    if text.first(where: { !$0.isWhitespace }) == "{" { text = JSONSurrogates.joined(text) }
    let used = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
    let unused = (0xE000...0xF8FF).lazy.compactMap(Unicode.Scalar.init).filter {
      !used.contains($0)
    }
    guard let star = unused.first, let mark = unused.dropFirst().first else {
      throw RecipeError(.malformed, "this is no text; save the recipe as UTF-8", path: path)
    }
    var hidden = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      hidden.append(scalar == "*" ? star : scalar == "?" ? mark : scalar)
    }
    var reader = DocumentReader(path: path, limits: limits, star: star, mark: mark)
    do {
      let parser = try Parser(yaml: String(hidden), resolver: .basic, encoding: .utf8)
      // The parser owns the anchors of the nodes.
      return try withExtendedLifetime(parser) {
        guard let root = try parser.singleRoot() else { return (.null, DocumentLines(1)) }
        let found = try reader.anchored(root, depth: 0, line: 1)
        return (found.value, found.lines)
      }
    } catch let error as RecipeError {
      throw error
    } catch let error as YamlError {
      throw reader.shown(RecipeError(error, text: text, path: path))
    } catch {
      throw RecipeError(.malformed, "this is no YAML: \(error)", path: path)
    }
  }

  /// The line of a directive that abbreviates tags. libyaml compares each with all earlier ones,
  /// and copies the expanded tag into every value.
  private static func lineOfTagDirective(_ text: String) -> Int? {
    let ends: Set<UInt32> = [0x0A, 0x0D, 0x85, 0x2028, 0x2029]
    let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) {
      ends.contains($0.value)
    }
    return lines.firstIndex { line in
      line.drop { $0 == "\u{FEFF}" }.starts(with: "%TAG".unicodeScalars)
    }.map { $0 + 1 }
  }

  private init(
    path: String?, limits: DecodeLimits, star: Unicode.Scalar, mark: Unicode.Scalar
  ) {
    (self.path, self.limits, self.star, self.mark) = (path, limits, star, mark)
  }

  private func refuse(_ message: String, _ line: Int?) -> RecipeError {
    RecipeError(.malformed, message, path: path, line: line)
  }

  /// The value of `node`, stored for aliases where it has an anchor; `line` is the line of its key.
  private mutating func anchored(_ node: Node, depth: Int, line: Int) throws(RecipeError)
    -> Anchored
  {
    let before = (count: count, length: length)
    var found = try followed(node, depth: depth, line: line)
    (found.count, found.length) = (count - before.count, length - before.length)
    if let name = node.anchor?.rawValue { anchors[name] = found }
    return found
  }

  private mutating func followed(_ node: Node, depth: Int, line: Int) throws(RecipeError)
    -> Anchored
  {
    guard depth < limits.maxNesting else {
      throw refuse("values are nested more than \(limits.maxNesting) deep; recipes are flat", line)
    }
    try take(1, length: 0, line)
    switch node {
    case .scalar(let scalar):
      return try followed(scalar, depth: depth, line: line)
    case .sequence(let sequence):
      try check(sequence.tag, [.seq], line)
      var found = Anchored(value: .null, lines: DocumentLines(line), height: 1)
      var values: [RecipeValue] = []
      for item in sequence {
        let inner = try anchored(item, depth: depth + 1, line: item.mark?.line ?? line)
        values.append(inner.value)
        found.lines.items.append(inner.lines)
        found.height = max(found.height, inner.height + 1)
      }
      found.value = .list(values)
      return found
    case .mapping(let mapping):
      try check(mapping.tag, [.map], line)
      var found = Anchored(value: .null, lines: DocumentLines(line), height: 1)
      var values: [String: RecipeValue] = [:]
      for (key, value) in mapping {
        let keyLine = key.mark?.line ?? line
        guard case .scalar(let scalar) = key else {
          throw refuse("a key here is a list or a map; keys are names", keyLine)
        }
        let name = try plain(scalar, keyLine)
        try take(0, length: name.utf8.count, keyLine)
        let inner = try anchored(value, depth: depth + 1, line: keyLine)
        values[name] = inner.value
        found.lines.keys[name] = inner.lines
        found.height = max(found.height, inner.height + 1)
      }
      found.value = .map(values)
      return found
    case .alias:
      throw refuse("an alias is not possible here; write the value out", line)
    }
  }

  private mutating func followed(
    _ scalar: Node.Scalar, depth: Int, line: Int
  ) throws(RecipeError) -> Anchored {
    let lines = DocumentLines(line)
    let isPlain = scalar.style == .plain && (scalar.tag.rawValue.isEmpty)
    if isPlain, scalar.string.unicodeScalars.first == star {
      let name = shown(String(scalar.string.unicodeScalars.dropFirst()))
      guard let anchored = anchors[name] else {
        throw refuse(
          "*\(name) has no anchor above it; put a text that begins with * in quotes", line)
      }
      guard depth + anchored.height <= limits.maxNesting else {
        throw refuse("*\(name) is more than \(limits.maxNesting) deep here; recipes are flat", line)
      }
      try take(anchored.count, length: anchored.length, line)
      return anchored
    }
    let text = try plain(scalar, scalar.mark?.line ?? line)
    try take(0, length: text.utf8.count, line)
    var value = RecipeValue.text(text)
    let isTyped = [Tag.Name.int, .float, .bool, .null].map(\.rawValue).contains(scalar.tag.rawValue)
    if isPlain || isTyped {
      switch CoreScalar.value(text) {
      case .success(let found): value = found
      case .failure(let refusal): throw refuse(refusal.message, scalar.mark?.line ?? line)
      }
    } else {
      try check(scalar.tag, [.str], line)
    }
    return Anchored(value: value, lines: lines, height: 1)
  }

  /// The text of a scalar as written.
  private func plain(_ scalar: Node.Scalar, _ line: Int) throws(RecipeError) -> String {
    var scalars = scalar.string.unicodeScalars[...]
    if scalar.style == .plain, scalars.popFirst() == mark,
      scalars.first?.properties.isWhitespace ?? true
    {
      throw refuse("a key here begins with ?; keys are names, without it", line)
    }
    guard !CombiningMarks.areTooMany(in: scalar.string.unicodeScalars) else {
      throw refuse(CombiningMarks.refusal, line)
    }
    return shown(scalar.string)
  }

  private func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == star || $0 == mark }) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      shown.append(scalar == star ? "*" : scalar == mark ? "?" : scalar)
    }
    return String(shown)
  }

  private func shown(_ error: RecipeError) -> RecipeError {
    RecipeError(
      error.code, shown(error.message), path: error.path, line: error.line,
      remedies: error.remedies)
  }

  private mutating func take(_ values: Int, length: Int, _ line: Int) throws(RecipeError) {
    count += values
    self.length += length
    guard self.length <= RecipeLimits.textBytes else {
      throw refuse(
        "the file holds more than \(RecipeLimits.textBytes >> 20) MiB of text with its aliases; "
          + "no recipe does", line)
    }
    guard count <= limits.maxItems else {
      throw refuse("the file holds more than \(limits.maxItems) values; no recipe does", line)
    }
  }

  private func check(_ tag: Tag, _ known: [Tag.Name], _ line: Int) throws(RecipeError) {
    let all = [Tag.Name.implicit, .nonSpecific] + known
    guard all.map(\.rawValue).contains(tag.rawValue) else {
      throw refuse(
        "\(tag.rawValue) is a tag that recipes do not support; leave it out", line)
    }
  }
}
