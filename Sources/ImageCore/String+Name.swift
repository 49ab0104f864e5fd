extension String {
  /// Longer than any name of a camera, lens or profile, in Unicode scalars.
  private static let longestName = 256

  /// A name from a file, for storage and display: truncated where it is implausibly long, and
  /// without control characters, which a terminal would obey.
  package var asName: String {
    let all = unicodeScalars
    let prefix = all.prefix(Self.longestName)
    let isCut = prefix.endIndex < all.endIndex
    guard isCut || prefix.contains(where: \.isControl) else { return self }
    var name = String.UnicodeScalarView()
    for scalar in prefix { name.append(scalar.isControl ? Self.replacement : scalar) }
    return String(name) + (isCut ? "…" : "")
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"
}

extension Unicode.Scalar {
  /// The control characters of ASCII with DEL, and the following 32.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}

extension [String] {
  /// The first six of names out of a file, which may list thousands, and how many more there are.
  package var firstNames: String {
    prefix(6).joined(separator: ", ") + (count > 6 ? " and \(count - 6) more" : "")
  }
}
