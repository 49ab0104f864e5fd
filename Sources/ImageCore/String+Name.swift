extension String {
  /// No camera, lens or profile has a name of so many characters (Unicode scalars).
  private static let longestName = 256

  /// A name out of a file, which may be as long as the file, as it is kept and shown: cut where it
  /// is longer than any, and without control characters, which a terminal would obey.
  package var asName: String {
    let all = unicodeScalars
    let kept = all.prefix(Self.longestName)
    let isCut = kept.endIndex < all.endIndex
    guard isCut || kept.contains(where: \.isControl) else { return self }
    var name = String.UnicodeScalarView()
    for scalar in kept { name.append(scalar.isControl ? Self.replacement : scalar) }
    return String(name) + (isCut ? "…" : "")
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"
}

extension Unicode.Scalar {
  /// Those of ASCII, DEL among them, and the 32 behind it.
  fileprivate var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}

extension [String] {
  /// The first six of names out of a file, which may list thousands, and how many more there are.
  package var firstNames: String {
    prefix(6).joined(separator: ", ") + (count > 6 ? " and \(count - 6) more" : "")
  }
}
