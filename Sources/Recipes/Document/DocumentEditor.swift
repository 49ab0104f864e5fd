import Yams

/// Sets and removes values in the text of a document; comments, the order of keys and all other
/// bytes stay.
///
/// Yams gives the start of each value. Its end follows from the form: a closing bracket or quote,
/// the end of a plain scalar, or for a block the last line that is indented further than its key.
/// A new key is added after the last of its map, at its indentation. Replacing or removing a value
/// also removes the comments within it. Known failure: rare YAML, such as scalars over several
/// lines or aliases, may come out wrong; the caller reads the result and compares the values.
struct DocumentEditor {
  private var scalars: [Unicode.Scalar]
  private let lineEnd: [Unicode.Scalar]
  /// Whether keys and texts are quoted, as JSON requires.
  private let isJSON: Bool
  /// Where each line begins, as of the last search for a path.
  private var starts = [0]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    lineEnd = Array((text.contains("\r\n") ? "\r\n" : "\n").unicodeScalars)
    isJSON = text.first { !$0.isWhitespace } == "{"
  }

  /// The edited text.
  var text: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// A map on the path to a value, and the next key in it.
  private struct Level {
    let map: Node.Mapping
    /// First scalar of the map.
    let start: Int
    let isFlow: Bool
    let pairs: [(key: Int, name: String, value: Node)]
    /// Indentation of its keys.
    let column: Int
  }

  /// Sets the value at `path`, a path through maps.
  mutating func set(_ value: RecipeValue, at path: [String]) throws {
    let levels = try levels(path)
    guard let last = levels.last else {
      return append(block(value, path[...], column: 0), after: scalars.count)
    }
    let rest = path[(levels.count - 1)...]
    guard let pair = last.pairs.first(where: { $0.name == rest.first }) else {
      return insert(value, rest, into: last, isRoot: levels.count == 1)
    }
    // This is the value itself, or not a map although the path continues.
    let new = rest.dropFirst().reversed().reduce(value) { .map([$1: $0]) }
    replace(pair, of: last, by: new)
  }

  /// Removes the value at `path`, and maps that become empty.
  mutating func remove(_ path: [String]) throws {
    let levels = try levels(path)
    guard levels.count == path.count,
      levels.last?.pairs.contains(where: { $0.name == path.last }) == true
    else { return }
    var depth = levels.count - 1
    while depth > 0, levels[depth].pairs.count == 1 { depth -= 1 }
    let level = levels[depth]
    guard let index = level.pairs.firstIndex(where: { $0.name == path[depth] }) else { return }
    let pair = level.pairs[index]
    guard level.isFlow else {
      scalars.removeSubrange(lineStart(pair.key)..<nextLine(end(of: pair, in: level)))
      return
    }
    // With the comma before it, otherwise with the one after it.
    var (from, to) = (pair.key, end(of: pair, in: level))
    if index > 0 {
      while from > level.start, scalars[from] != "," { from -= 1 }
    } else if level.pairs.count > 1 {
      to = level.pairs[1].key
    }
    scalars.removeSubrange(from..<max(from, to))
  }

  // MARK: Maps

  /// The maps from the root on that hold the keys of `path`; none where the document is empty.
  private mutating func levels(_ path: [String]) throws -> [Level] {
    starts = Self.lineStarts(scalars)
    // Aliases and complex keys are not followed, so that nothing is expanded.
    var plain = String.UnicodeScalarView()
    for scalar in scalars { plain.append(scalar == "*" || scalar == "?" ? "_" : scalar) }
    let parser = try Parser(yaml: String(plain), resolver: .basic, encoding: .utf8)
    return try withExtendedLifetime(parser) {
      var levels: [Level] = []
      var node = try parser.singleRoot()
      for name in path {
        guard case .mapping(let map)? = node, let level = level(map) else { break }
        levels.append(level)
        node = level.pairs.first { $0.name == name }?.value
      }
      return levels
    }
  }

  private func level(_ map: Node.Mapping) -> Level? {
    guard let start = map.mark.flatMap(index) else { return nil }
    let pairs = map.compactMap { key, value in
      key.mark.flatMap(index).map { (key: $0, name: key.string ?? "", value: value) }
    }
    let first = pairs.first?.key ?? start
    return Level(
      map: map, start: start, isFlow: scalars[start] == "{", pairs: pairs,
      column: first - lineStart(first))
  }

  private func index(_ mark: Mark) -> Int? {
    guard starts.indices.contains(mark.line - 1) else { return nil }
    let found = starts[mark.line - 1] + mark.column - 1
    return found < scalars.count ? found : nil
  }

  // MARK: Extents

  /// What ends a line in YAML 1.1, by which libyaml counts lines.
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  private static func lineStarts(_ scalars: [Unicode.Scalar]) -> [Int] {
    var starts = [0]
    for (index, scalar) in scalars.enumerated() where isBreak(scalar) {
      let isPair = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if !isPair { starts.append(index + 1) }
    }
    return starts
  }

  /// The line of `index`, from 0.
  private func line(_ index: Int) -> Int {
    var (line, end) = (0, starts.count)
    while end - line > 1 {
      let middle = (line + end) / 2
      if starts[middle] <= index { line = middle } else { end = middle }
    }
    return line
  }

  private func lineStart(_ index: Int) -> Int { starts[line(index)] }

  private func nextLine(_ index: Int) -> Int {
    let next = line(index) + 1
    return next < starts.count ? starts[next] : scalars.count
  }

  /// The index after the colon that follows the key at `key`.
  private func colon(_ key: Int) -> Int {
    var index = endOfFlow(key, endsAtColon: true)
    while index < scalars.count, scalars[index] != ":" { index += 1 }
    return min(index + 1, scalars.count)
  }

  /// The index after the value of a pair.
  private func end(of pair: (key: Int, name: String, value: Node), in level: Level) -> Int {
    let colon = colon(pair.key)
    var start = colon
    while start < scalars.count, scalars[start] == " " { start += 1 }
    guard !level.isFlow else {
      while start < scalars.count, scalars[start].properties.isWhitespace { start += 1 }
      return endOfFlow(start)
    }
    let isInline =
      start < scalars.count && !["#", "|", ">"].contains(scalars[start])
      && !Self.isBreak(scalars[start])
    if isInline { return endOfFlow(start, isBlock: true) }
    // The colon of a key over several lines comes after the next one.
    return max(colon, endOfBlock(pair.key, column: level.column))
  }

  /// The index after the last line below `key` that is indented further than `column`, or is an
  /// item of a list at it; without such a line, after the colon.
  private func endOfBlock(_ key: Int, column: Int) -> Int {
    var end = colon(key)
    var line = nextLine(key)
    while line < scalars.count {
      var first = line
      while first < scalars.count, scalars[first] == " " { first += 1 }
      let next = nextLine(line)
      let isEmpty =
        first >= scalars.count || scalars[first] == "#" || Self.isBreak(scalars[first])
      if !isEmpty {
        guard first - line > column || first - line == column && scalars[first] == "-" else {
          break
        }
        end = next
        while end > line, Self.isBreak(scalars[end - 1]) { end -= 1 }
      }
      line = next
    }
    return end
  }

  /// The index after the bracketed, quoted or plain value that begins at `start`; `isBlock`: a
  /// plain one ends at a comment or with its line.
  private func endOfFlow(_ start: Int, isBlock: Bool = false, endsAtColon: Bool = false) -> Int {
    guard start < scalars.count else { return start }
    var index = start
    switch scalars[start] {
    case "\"":
      index += 1
      while index < scalars.count, scalars[index] != "\"" {
        index += scalars[index] == "\\" ? 2 : 1
      }
      return min(index + 1, scalars.count)
    case "'":
      index += 1
      while index < scalars.count {
        guard scalars[index] == "'" else {
          index += 1
          continue
        }
        guard index + 1 < scalars.count, scalars[index + 1] == "'" else { break }
        index += 2
      }
      return min(index + 1, scalars.count)
    case "{", "[": return endOfBrackets(start)
    default:
      while index < scalars.count, !Self.isBreak(scalars[index]) {
        let isSpaced = index > start && scalars[index - 1] == " "
        if scalars[index] == "#", isSpaced { break }
        if !isBlock, [",", "}", "]"].contains(scalars[index]) { break }
        if endsAtColon, scalars[index] == ":" { break }
        index += 1
      }
      while index > start, scalars[index - 1] == " " { index -= 1 }
      return index
    }
  }

  /// The index after the bracket that closes the one at `start`. A quote begins a text only where a
  /// value may begin: the one of `a'b` belongs to a plain scalar.
  private func endOfBrackets(_ start: Int) -> Int {
    var (index, depth, isPlain) = (start, 0, false)
    while index < scalars.count {
      let scalar = scalars[index]
      let next = index + 1
      let isEdge = next >= scalars.count || scalars[next].properties.isWhitespace
      switch scalar {
      case "{", "[": (index, depth, isPlain) = (next, depth + 1, false)
      case "}", "]":
        (index, depth, isPlain) = (next, depth - 1, false)
        if depth == 0 { return index }
      case "\"", "'":
        index = isPlain ? next : endOfFlow(index)
      case "#" where scalars[index - 1].properties.isWhitespace: index = nextLine(index)
      case ",": (index, isPlain) = (next, false)
      case ":" where !isPlain || isEdge: (index, isPlain) = (next, false)
      case "&" where !isPlain, "!" where !isPlain:
        // An anchor or a tag; its value follows.
        while index < scalars.count, !scalars[index].properties.isWhitespace,
          ![",", "}", "]"].contains(scalars[index])
        {
          index += 1
        }
      default:
        if !scalar.properties.isWhitespace { isPlain = true }
        index = next
      }
    }
    return index
  }

  // MARK: Changes

  private mutating func replace(
    _ pair: (key: Int, name: String, value: Node), of level: Level, by value: RecipeValue
  ) {
    let colon = colon(pair.key)
    let end = end(of: pair, in: level)
    var start = colon
    while start < end, scalars[start].properties.isWhitespace { start += 1 }
    // A block includes its line ends; a comment after the colon stays.
    let isBlock = scalars[colon..<end].contains(where: Self.isBreak) && !level.isFlow
    scalars.replaceSubrange(
      (isBlock || start == end ? colon : start)..<end,
      with: (isBlock || start == end ? " " : "").unicodeScalars + flow(value).unicodeScalars)
  }

  private mutating func insert(
    _ value: RecipeValue, _ path: ArraySlice<String>, into level: Level, isRoot: Bool
  ) {
    guard level.isFlow else {
      let last = level.pairs.last.map { end(of: $0, in: level) } ?? scalars.count
      return append(
        block(value, path, column: level.column), after: isRoot ? scalars.count : nextLine(last))
    }
    let nested = path.dropFirst().reversed().reduce(value) { .map([$1: $0]) }
    let entry = name(path.first ?? "") + ": " + flow(nested)
    guard let last = level.pairs.last else {
      scalars.insert(contentsOf: entry.unicodeScalars, at: level.start + 1)
      return
    }
    // On a line of its own where the last one has one.
    let first = scalars[lineStart(last.key)..<last.key]
    let isAlone = first.allSatisfy(\.properties.isWhitespace)
    let space = isAlone ? lineEnd + first : [" "]
    scalars.insert(
      contentsOf: [","] + space + Array(entry.unicodeScalars), at: end(of: last, in: level))
  }

  private mutating func append(_ lines: [String], after index: Int) {
    var text: [Unicode.Scalar] = []
    if index > 0, !Self.isBreak(scalars[index - 1]) { text += lineEnd }
    for line in lines { text += Array(line.unicodeScalars) + lineEnd }
    scalars.insert(contentsOf: text, at: index)
  }

  /// The lines of a value in block form, in maps for all but the last of `path`.
  private func block(
    _ value: RecipeValue, _ path: ArraySlice<String>, column: Int
  ) -> [String] {
    path.enumerated().map { depth, key in
      String(repeating: " ", count: column + 2 * depth) + name(key) + ":"
        + (depth == path.count - 1 ? " " + flow(value) : "")
    }
  }

  private func name(_ key: String) -> String {
    isJSON ? RecipeText.quoted(key) : RecipeText.plain(key)
  }

  private func flow(_ value: RecipeValue) -> String {
    guard isJSON else { return RecipeText.flow(value) }
    switch value {
    case .text(let text): return RecipeText.quoted(text)
    case .list(let list): return "[" + list.map(flow).joined(separator: ", ") + "]"
    case .map(let map):
      let entries = map.sorted { $0.key < $1.key }.map { name($0.key) + ": " + flow($0.value) }
      return "{" + entries.joined(separator: ", ") + "}"
    default: return RecipeText.flow(value)
    }
  }
}
