/// A normalized camera name, comparable between the maker, LibRaw's list and published tables:
/// makers become one word, models drop the maker's name, `Mark II`, `MkII`, `_2` and ` II` become
/// `m2`, and `ILCE-7M4` is α 7 IV. Two names denote the same camera only if their keys are equal; a
/// partial match is never enough. `Scripts/camera_tables/names.py` does the same.
package struct CameraKey: Hashable, Sendable {
  /// The maker in one word.
  package let maker: String
  /// Letters, digits and plus signs of the model.
  package let model: String

  /// The key of `model` by `make`.
  package init(make: String, model: String) {
    maker = Self.maker(make)
    self.model = Self.model(model, make: make, maker: maker)
  }

  private static let makers = [
    "om": "olympus", "phase": "phaseone", "eastman": "kodak", "konica": "minolta",
  ]
  /// Words after the first that belong to a maker's name.
  private static let makerWords: Set<String> = [
    "corporation", "corp.", "co.,", "co.,ltd", "ltd.", "company,", "company", "imaging", "digital",
    "solutions", "system", "camera", "ag", "optical", "one", "a/s", "minolta", "electric", "kodak",
    "techwin",
  ]
  private static let noise: [[String]] = [
    ["easyshare"], ["zoom", "digital", "camera"], ["digital", "camera"],
  ]
  private static let numerals: [(text: String, digit: String)] = [
    ("iiii", "4"), ("iii", "3"), ("vii", "7"), ("ii", "2"), ("iv", "4"), ("vi", "6"), ("v", "5"),
  ]

  private static func maker(_ make: String) -> String {
    let first = words(make).first ?? ""
    let plain = String(String.UnicodeScalarView(first.unicodeScalars.filter(isPlain)))
    return makers[plain] ?? plain
  }

  private static func model(_ model: String, make: String, maker: String) -> String {
    // Fujifilm joins the name of the product family to some models.
    var words = words(model).map { word in
      word.hasPrefix("finepix") ? String(word.dropFirst(7)) : word
    }.filter { !$0.isEmpty }
    for phrase in noise where words.contains(phrase[0]) {
      while let start = words.indices.first(where: { words[$0...].starts(with: phrase) }) {
        words.removeSubrange(start..<start + phrase.count)
      }
    }
    let first = self.words(make).first
    while words.count > 1, words[0] == first || first == "om" && makerWords.contains(words[0]) {
      words.removeFirst()
    }
    var key = ""
    for (index, word) in words.enumerated() {
      key += part(word, isFirst: index == 0, isLast: index == words.count - 1)
    }
    key = String(String.UnicodeScalarView(key.unicodeScalars.filter { isPlain($0) || $0 == "+" }))
    if maker == "sony", key.hasPrefix("ilce"), key.dropFirst(4).first?.isNumber == true {
      return "a" + key.dropFirst(4)
    }
    return key
  }

  /// One word of a model, in lower case.
  private static func part(_ word: String, isFirst: Bool, isLast: Bool) -> String {
    var word = word
    let digit = word.last.flatMap { ("2"..."9").contains($0) ? $0 : nil }
    if let digit, word.dropLast().last == "_" { word = "\(word.dropLast(2))m\(digit)" }
    if !isFirst {
      for (numeral, digit) in numerals where word.hasPrefix(numeral) {
        let rest = word.dropFirst(numeral.count)
        if rest.isEmpty || rest == "a" || rest == "s" || rest == "x" { return "m\(digit)\(rest)" }
      }
    }
    if word == "mark" || word == "mk", !isLast { return "" }
    for (numeral, digit) in numerals {
      for mark in ["mark", "mk"] where word.hasSuffix(mark + numeral) {
        return "\(word.dropLast(mark.count + numeral.count))m\(digit)"
      }
    }
    return word
  }

  private static func words(_ text: String) -> [String] {
    let text = text.lowercased()
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return text.utf8.split { $0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0 }.map {
      String(Substring($0))
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  /// The cameras of one entry in LibRaw's list. Entries name the models of several regions (`EOS
  /// 850D / Rebel T8i`), a retail name in parentheses (`ILCE-7M4 (A7 IV)`), or contain remarks.
  package static func listed(_ entry: String) -> Set<CameraKey> {
    let words = entry.split(separator: " ")
    var count = 1
    while count < words.count - 1, makerWords.contains(words[count].lowercased()) { count += 1 }
    let make = words.prefix(count).joined(separator: " ")
    let rest = words.dropFirst(count).joined(separator: " ")
    var models = [rest]
    var plain = ""
    var remark: String?
    for character in rest {
      switch (character, remark) {
      case ("(", nil): remark = ""
      case (")", let text?):
        models.append(text)
        remark = nil
      case (_, let text?): remark = text + String(character)
      default: plain.append(character)
      }
    }
    if let remark { models.append(remark) }
    let parts = parts(plain)
    models += parts
    for part in parts.dropFirst() {
      guard let first = parts.first else { break }
      models.append(first.prefix { $0 != " " } + " " + part)
      models.append(first.prefix { $0 != "-" } + "-" + part)
    }
    for part in parts {
      for word in part.split(separator: " ") where word.contains("/") {
        for choice in word.split(separator: "/") {
          models.append(
            part.split(separator: " ").map { $0 == word ? choice : $0 }.joined(separator: " "))
        }
      }
    }
    return Set(models.lazy.filter { !$0.isEmpty }.map { CameraKey(make: make, model: $0) })
  }

  /// Splits at ` / ` and `, `.
  private static func parts(_ text: String) -> [String] {
    var parts: [[Substring]] = [[]]
    for word in text.split(separator: " ") {
      if word == "/" {
        parts.append([])
      } else if word.hasSuffix(",") {
        parts[parts.count - 1].append(word.dropLast())
        parts.append([])
      } else {
        parts[parts.count - 1].append(word)
      }
    }
    return parts.map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
  }
}
