/// The value of a plain scalar in the core schema of YAML 1.2.2 (§10.3.2): `null` and `~`, `true`
/// and `false`, numbers; everything else is text. So `no`, `on` and `12:30` are text, unlike in
/// YAML 1.1. Infinity and NaN are refused, and integers that a Double cannot hold.
enum CoreScalar {
  /// The value of `text`, or why it is refused.
  static func value(_ text: String) -> Result<RecipeValue, Refusal> {
    switch text {
    case "", "~", "null", "Null", "NULL": return .success(.null)
    case "true", "True", "TRUE": return .success(.bool(true))
    case "false", "False", "FALSE": return .success(.bool(false))
    default: break
    }
    // No number is longer; bounds the cost of hostile texts.
    guard let first = text.utf8.first, first.startsNumber, text.utf8.count <= 400 else {
      return .success(.text(text))
    }
    let unsigned = text.drop { $0 == "+" || $0 == "-" }
    guard text.utf8.count - unsigned.utf8.count <= 1 else { return .success(.text(text)) }
    switch unsigned {
    case ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN":
      return .failure(Refusal("\(text) is no number that a recipe takes; name one or leave it out"))
    default: break
    }
    if let number = radix(text) { return number }
    guard isDecimal(unsigned), let number = Double(text) else { return .success(.text(text)) }
    guard number.isFinite else {
      return .failure(Refusal("\(text) is larger than numbers may be; put a text in quotes"))
    }
    if unsigned.utf8.allSatisfy(\.isDigit), !isExact(number, text) {
      return .failure(.digits(text))
    }
    return .success(.number(number))
  }

  /// Why a number is refused.
  struct Refusal: Error {
    let message: String
    init(_ message: String) { self.message = message }
    static func digits(_ text: String) -> Refusal {
      Refusal("\(text) has more digits than a number can hold; put it in quotes to make it text")
    }
  }

  /// The value of `0x1F` or `0o17`; nil for any other text.
  private static func radix(_ text: String) -> Result<RecipeValue, Refusal>? {
    let radix = text.hasPrefix("0x") ? 16 : text.hasPrefix("0o") ? 8 : 0
    let digits = text.dropFirst(2)
    guard radix > 0, !digits.isEmpty,
      digits.allSatisfy({ $0.isASCII && $0.hexDigitValue ?? 99 < radix })
    else { return nil }
    guard let integer = Int(digits, radix: radix), let number = Double(exactly: integer) else {
      return .failure(.digits(text))
    }
    return .success(.number(number))
  }

  /// `[0-9]*(\.[0-9]*)?([eE][-+]?[0-9]+)?` with a digit before the exponent.
  private static func isDecimal(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    func digits() -> Int {
      let count = rest.prefix(while: \.isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    var count = digits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      count += digits()
    }
    guard count > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func isExact(_ number: Double, _ text: String) -> Bool {
    if abs(number) < 0x1p53 { return true }
    return Int(text).map { Double(exactly: $0) != nil } ?? false
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var startsNumber: Bool {
    isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
  }
}
