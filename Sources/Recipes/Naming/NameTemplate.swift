/// A template of paths: text with tokens in braces, as `web/{stem}-{date:%Y}`. `/` separates
/// folders, `{{` and `}}` are braces. Names of files are bytes, which need not be UTF-8.
///
/// The value of a token cannot change the structure of the path: `/`, control characters and a
/// leading dot become `_`; a missing value is `unknown`. In metadata of the picture, characters
/// that Windows and its network shares refuse become `_` too.
public struct NameTemplate: Sendable, Hashable {
  /// The tokens.
  public enum Token: String, Sendable, Hashable, CaseIterable {
    /// Name of the raw without its extension.
    case stem
    /// Extension of the raw, without the dot.
    case ext
    /// The raw's folder relative to the input folder; empty for the input folder itself.
    case folder
    /// Date of the exposure, or a format of it as `{date:%Y-%m}`: %Y %y %m %d %H %M %S %j.
    case date
    /// Make and model of the camera.
    case camera
    /// Name of the lens.
    case lens
    /// ISO speed.
    case iso
    /// Name of the output in the recipe.
    case output
    /// Format of the output, as `heif-hlg`.
    case format
  }

  /// A part of a name.
  private enum Element: Sendable, Hashable {
    case text([UInt8])
    case token(Token)
    case date(DateForm)
  }

  /// The template as written.
  public let text: String
  private let elements: [Element]

  /// The tokens of the template.
  public var tokens: Set<Token> {
    Set(
      elements.compactMap {
        switch $0 {
        case .text: nil
        case .token(let token): token
        case .date: .date
        }
      })
  }

  /// Parses a template. Throws for unknown tokens, and for paths that could leave the target folder
  /// or be hidden.
  public init(_ text: String) throws(RecipeError) {
    func refuse(_ what: String) -> RecipeError {
      RecipeError(
        .badSetting, "the name template \(RecipeText.quoted(text)) \(what)",
        key: RecipePath(keys: "name"))
    }
    self.text = text
    var elements: [Element] = []
    var literal: [UInt8] = []
    var rest = Substring(text)
    while let character = rest.first {
      if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
        literal += Array(String(character).utf8)
        rest = rest.dropFirst(2)
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw refuse("has a { without }; write {{ for a brace")
        }
        let token = rest[rest.index(after: rest.startIndex)..<end]
        if !literal.isEmpty { elements.append(.text(literal)) }
        literal = []
        let parts = token.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let known = Token(rawValue: String(parts.first ?? "")),
          parts.count == 1 || known == .date
        else {
          let all = Token.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
          throw refuse("has {\(token)}, which is no token; there are \(all)")
        }
        if known == .date {
          let form = parts.count == 2 ? String(parts[1]) : "%Y-%m-%d"
          guard let date = DateForm(form) else {
            throw refuse("has the date \(form); it takes \(DateForm.directives) and text")
          }
          elements.append(.date(date))
        } else {
          elements.append(.token(known))
        }
        rest = rest[rest.index(after: end)...]
      } else {
        guard character != "}" else { throw refuse("has a } without {; write }} for a brace") }
        literal += Array(String(character).utf8)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { elements.append(.text(literal)) }
    self.elements = elements
    try check(refuse)
  }

  /// Checks the path with a sample value for each token.
  private func check(_ refuse: (String) -> RecipeError) throws(RecipeError) {
    guard text.utf8.count <= 1000 else { throw refuse("is longer than names are") }
    // The value of a token is never empty and never begins with a dot.
    let sample = elements.flatMap {
      switch $0 {
      case .text(let bytes): bytes
      case .token: Array("x".utf8)
      case .date(let form): Array((form.text("2000:01:01") ?? "").utf8)
      }
    }
    for part in sample.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let first = part.first else {
        throw refuse(
          "has an empty part; it is a path below the target folder, with a name at its end")
      }
      guard first != UInt8(ascii: ".") else {
        throw refuse("has a part that begins with a dot; such files are hidden")
      }
    }
    guard !sample.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw refuse("has a control character")
    }
  }

  /// The path of an output below the target folder, without extension.
  public func path(_ info: NameInfo) -> [UInt8] {
    var path: [UInt8] = []
    for element in elements {
      switch element {
      case .text(let bytes): path += bytes
      case .date(let form):
        path += Array((form.text(info.picture.captureDate) ?? "unknown").utf8)
      case .token(.folder): path += info.folderPath
      case .token(let token): path += info.value(of: token)
      }
    }
    // Only `{folder}` can be empty or contain a slash: removes the empty components it leaves.
    let parts = path.split(separator: UInt8(ascii: "/")).map {
      NameInfo.withoutLeadingDot(Array($0))
    }
    return parts.isEmpty
      ? Array("unknown".utf8) : Array(parts.joined(separator: [UInt8(ascii: "/")]))
  }
}
