import Foundation

/// The parsed name of a lens, so that `EF-S18-55mm f/3.5-5.6 IS` and `Canon EF-S 18-55mm F3.5-5.6
/// IS` are equal: two numbers each for focal lengths and f-numbers, and the other words in any
/// order.
///
/// Words that distinguish lenses are compared (IS, USM, II, L); words that makers and databases use
/// or omit at will are not. Names are compared for equality only, since a wrong profile is worse
/// than none. Known failures: names without a focal length, or without f-numbers on one side only.
struct LensName: Hashable {
  /// Shortest and longest, millimeters.
  private(set) var focal: [Double] = []
  /// Smallest f-numbers at both ends of the zoom.
  private(set) var fNumbers: [Double] = []
  /// Sorted.
  private(set) var words: [String] = []

  /// Words that do not distinguish lenses.
  private static let ignored: Set<String> = [
    "lens", "zoom", "nikkor", "zuiko", "lumix", "digital", "ed", "pro", "asph", "aspherical",
    "premium", "mk", "mark", "mm",
  ]
  /// Longer names are truncated.
  private static let maxLength = 200

  /// `text`, less the words of `makers`.
  init(_ text: String, makers: [String] = []) {
    let letters = Self.letters(text)
    var position = 0
    while position < letters.count {
      let letter = letters[position]
      if letter.isDigit {
        takeNumber(letters, &position)
      } else if letter == UInt8(ascii: "f"), fNumbers.isEmpty,
        let range = Self.range(letters, at: position + 1, skipping: "/"),
        !letters[range.end...].starts(with: "mm".utf8)
      {
        fNumbers = Self.pair(range.numbers)
        position = range.end
      } else if letter.isLetter {
        let end = letters[position...].firstIndex { !$0.isLetter } ?? letters.count
        words.append(Self.word(letters[position..<end]))
        position = end
      } else {
        position += 1
      }
    }
    let ignored = Self.ignored.union(makers.flatMap { Self.words(of: $0) })
    words = words.filter { !ignored.contains($0) }.sorted()
  }

  /// The words of a maker's name.
  static func words(of maker: String) -> [String] {
    letters(maker).split { !$0.isLetter }.map { word($0) }
  }

  /// The longest focal length as in every spelling: its digits before the point. Empty without a
  /// focal length.
  var focalText: String {
    focal.last.flatMap { Int(exactly: $0.rounded(.down)) }.map { "\($0)" } ?? ""
  }

  /// Whether the name has enough numbers to distinguish lenses.
  var isSpecific: Bool { !focal.isEmpty && !fNumbers.isEmpty }

  private mutating func takeNumber(_ letters: [UInt8], _ position: inout Int) {
    guard let range = Self.range(letters, at: position, skipping: "") else { return position += 1 }
    var next = range.end
    while next < letters.count, letters[next] == UInt8(ascii: " ") { next += 1 }
    let rest = letters[next...]
    if focal.isEmpty, rest.starts(with: "mm".utf8) {
      focal = Self.pair(range.numbers)
      position = next + 2
    } else if focal.isEmpty, rest.starts(with: "/f".utf8) {
      // LUMIX G VARIO 14-42/F3.5-5.6
      focal = Self.pair(range.numbers)
      position = next + 1
    } else if focal.isEmpty, fNumbers.isEmpty, range.numbers.count == 1,
      rest.first == UInt8(ascii: "/"),
      let second = Self.range(letters, at: next + 1, skipping: "")
    {
      // Batis 2/25
      (fNumbers, focal) = (Self.pair(range.numbers), Self.pair(second.numbers))
      position = second.end
    } else if fNumbers.isEmpty, range.numbers == [1],
      let second = Self.range(letters, at: next, skipping: ": "), rest.first == UInt8(ascii: ":")
    {
      fNumbers = Self.pair(second.numbers)
      position = second.end
    } else {
      words.append(range.numbers.map { "\($0)" }.joined(separator: "-"))
      position = range.end
    }
  }

  private static func pair(_ numbers: [Double]) -> [Double] {
    [numbers[0], numbers[numbers.count - 1]]
  }

  /// One number, or two with a dash between, after any letters of `skipping`.
  private static func range(
    _ letters: [UInt8], at start: Int, skipping: String
  ) -> (numbers: [Double], end: Int)? {
    var position = start
    while position < letters.count, skipping.utf8.contains(letters[position]) { position += 1 }
    guard let first = number(letters, at: position) else { return nil }
    guard first.end < letters.count, letters[first.end] == UInt8(ascii: "-"),
      let second = number(letters, at: first.end + 1)
    else { return ([first.value], first.end) }
    return ([first.value, second.value], second.end)
  }

  private static func number(_ letters: [UInt8], at start: Int) -> (value: Double, end: Int)? {
    var (value, scale, end, isFraction) = (0.0, 1.0, start, false)
    while end < letters.count {
      if letters[end].isDigit {
        value = value * 10 + Double(letters[end] - UInt8(ascii: "0"))
        if isFraction { scale *= 10 }
      } else if letters[end] == UInt8(ascii: "."), !isFraction, end > start,
        end + 1 < letters.count, letters[end + 1].isDigit
      {
        isFraction = true
      } else {
        break
      }
      end += 1
    }
    return end > start ? (value / scale, end) : nil
  }

  private static func word(_ letters: ArraySlice<UInt8>) -> String {
    let word = String(decoding: letters, as: UTF8.self)
    return word.hasPrefix("mki") ? String(word.dropFirst(2)) : word
  }

  /// Lowercase without accents; blanks for other than ASCII.
  private static func letters(_ text: String) -> [UInt8] {
    let plain = text.prefix(maxLength).replacingOccurrences(of: "×", with: "x")
      .folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
    return plain.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: " ") }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}
