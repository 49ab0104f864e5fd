/// The known key, or other name, that is closest to an unknown one.
package enum KeySuggestion {
  /// The nearest key of `tree`, in which `name` is unknown, otherwise a key of the same name
  /// elsewhere; nil without either.
  static func nearest(_ name: String, in tree: KeyTree) -> String? {
    // No key is longer, and the cost is quadratic.
    guard (2...48).contains(name.utf8.count) else { return nil }
    let siblings = tree.children.keys.sorted()
    if let near = nearest(name, of: siblings) { return near }
    return RecipeKey.all.first { $0.name.lowercased() == name.lowercased() }?.path
  }

  /// The nearest of `names` within three edits and a third of the length; nil without one.
  package static func nearest(_ name: String, of names: [String]) -> String? {
    let wanted = name.lowercased()
    let limit = max(1, min(3, wanted.count / 3))
    let distances = names.map { (name: $0, edits: edits(wanted, $0.lowercased())) }
    if let near = distances.filter({ $0.edits <= limit }).min(by: { $0.edits < $1.edits }) {
      return near.name
    }
    // `sharpness` for sharpnessAmount.
    guard wanted.utf8.count >= 4 else { return nil }
    return names.filter { $0.lowercased().contains(wanted) }.min { $0.utf8.count < $1.utf8.count }
  }

  /// Levenshtein distance in which a swap of adjacent characters is one edit (optimal string
  /// alignment distance).
  static func edits(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var fewest = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          fewest = min(fewest, rows[i - 1][j - 1] + 1)
        }
        row.append(fewest)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
