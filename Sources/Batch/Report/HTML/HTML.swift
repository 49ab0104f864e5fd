/// A fragment of HTML. Texts and numbers in a literal are escaped, other fragments are not:
/// `"<b>\(name)</b>\(list)"`. So text of reports, which may hold anything, cannot become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text = ""

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Markup that this module holds as text.
  init(markup: String) { text = markup }

  static func + (a: HTML, b: HTML) -> HTML { HTML(markup: a.text + b.text) }
  static func += (a: inout HTML, b: HTML) { a.text += b.text }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ text: String) { self.text += HTMLText.escaped(text) }
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    mutating func appendInterpolation(_ number: Double) { text += "\(number)" }
  }
}

extension Sequence<HTML> {
  /// The fragments with `separator` between them.
  func joined(separator: String = "") -> HTML {
    HTML(markup: map(\.text).joined(separator: separator))
  }
}
