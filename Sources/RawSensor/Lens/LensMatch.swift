/// Finds the camera and the lens of a file in a database. A wrong profile is worse than none: names
/// must be equal apart from spelling, and if two entries match neither is used.
enum LensMatch {
  /// The camera that `query` names; nil if none or several different ones match (lensfun's
  /// variants, which the file does not distinguish).
  static func camera(_ query: LensQuery, in cameras: [LensCamera]) -> LensCamera? {
    let brand = LensName.words(of: query.make).first
    let model = modelWords(query.model, brand)
    guard let brand, !model.isEmpty else { return nil }
    let found = cameras.filter { camera in
      camera.makers.contains { LensName.words(of: $0).first == brand }
        && camera.models.contains { modelWords($0, brand) == model }
    }
    guard let first = found.first,
      found.allSatisfy({ $0.mount == first.mount && $0.cropFactor == first.cropFactor }),
      first.cropFactor > 0.1, first.cropFactor < 100, isFullSensor(query, first)
    else { return nil }
    return first
  }

  /// The words of a model without the maker's name before them, in lowercase.
  private static func modelWords(_ model: String, _ brand: String?) -> [String] {
    var words = model.prefix(200).lowercased().split(whereSeparator: \.isWhitespace).map(
      String.init)
    if words.count > 1, words.first == brand { words.removeFirst() }
    return words
  }

  /// Whether the picture covers the camera's full sensor: where the file gives the focal length for
  /// 36 × 24 mm, it must agree with the crop factor, apart from rounding.
  private static func isFullSensor(_ query: LensQuery, _ camera: LensCamera) -> Bool {
    guard let equivalent = query.equivalentFocalLength else { return true }
    let expected = query.shot.focalLength * camera.cropFactor
    return abs(equivalent - expected) <= 0.5 + 0.12 * expected
  }

  /// The lens that `query` names among those that fit `camera` and its focal length; of several
  /// calibrations the one on the sensor size nearest to the camera's, which must not be smaller,
  /// because nothing was measured farther out.
  static func lens(
    _ query: LensQuery, camera: LensCamera, among lenses: [LensEntry]
  ) -> LensEntry? {
    let usable = lenses.filter {
      // The tolerance is lensfun's.
      $0.cropFactor > 0.1 && $0.aspectRatio >= 1 && camera.cropFactor >= $0.cropFactor * 0.96
    }
    let named =
      camera.hasFixedLens ? fixed(query, usable) : usable.filter { isNamed($0, by: query) }
    guard let first = named.first, named.allSatisfy({ isSame($0, first) }) else { return nil }
    func distance(_ lens: LensEntry) -> Double {
      let ratio = camera.cropFactor / lens.cropFactor
      return max(ratio, 1 / ratio)
    }
    return named.min { (distance($0), $0.index) < (distance($1), $1.index) }
  }

  private static func isNamed(_ lens: LensEntry, by query: LensQuery) -> Bool {
    let name = LensName(query.lens, makers: lens.makers)
    guard name.isSpecific else { return false }
    let makers = Set(lens.makers.flatMap { LensName.words(of: $0) })
    let declared = LensName.words(of: query.lens) + LensName.words(of: query.lensMake)
    guard !name.words.isEmpty || !makers.isDisjoint(with: declared) else { return false }
    return lens.models.contains { LensName($0, makers: lens.makers) == name }
  }

  /// The lens of a camera with a fixed one, whatever the file calls it; without converters and the
  /// like, unless the file names those.
  private static func fixed(_ query: LensQuery, _ lenses: [LensEntry]) -> [LensEntry] {
    let named = lenses.filter { $0.models.contains(query.lens) }
    if !named.isEmpty { return named }
    return lenses.filter { lens in
      let words = (lens.models.first ?? "").lowercased()
      return !["with ", "macro", "+", "convert", "lens-to-subject"].contains { words.contains($0) }
    }
  }

  private static func isSame(_ a: LensEntry, _ b: LensEntry) -> Bool {
    a.makers.first == b.makers.first && a.models.first == b.models.first
  }
}
