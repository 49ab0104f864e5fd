extension String {
  /// No camera, lens or profile has a name of so many characters (Unicode scalars).
  private static let longestName = 256

  /// A name out of a file, which may be as long as the file, as it is kept and shown: cut where it
  /// is longer than any.
  package var asName: String {
    let all = unicodeScalars
    let end = all.index(all.startIndex, offsetBy: Self.longestName, limitedBy: all.endIndex)
    guard let end, end < all.endIndex else { return self }
    return String(all[..<end]) + "…"
  }
}

extension [String] {
  /// The first six of names out of a file, which may list thousands, and how many more there are.
  package var firstNames: String {
    prefix(6).joined(separator: ", ") + (count > 6 ? " and \(count - 6) more" : "")
  }
}
