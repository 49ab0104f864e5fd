/// Values for pictures of some cameras, ISO speeds or lenses: an item of `rules` in the defaults of
/// a folder. All conditions of `match` must hold; an unknown one never does.
struct DefaultsRule: Sendable, Hashable {
  private var camera: Glob?
  private var lens: Glob?
  private var iso: ClosedRange<Double>?
  private var hasUnknown = false
  private let layer: RecipeLayer

  /// The rules of `document`, in order.
  static func all(of document: RecipeDocument) throws(RecipeError) -> [DefaultsRule] {
    let path = RecipePath(keys: "rules")
    switch document.values["rules"] {
    case nil, .null?: return []
    case .list(let rules)?:
      guard rules.count <= RecipeLimits.rules else {
        throw document.error(
          .badSetting, "there are more than \(RecipeLimits.rules) rules; remove some", at: path)
      }
      var found: [DefaultsRule] = []
      for index in rules.indices {
        found.append(try DefaultsRule(rules[index], at: path.appending(item: index), of: document))
      }
      return found
    default:
      throw document.error(
        .badSetting, "rules takes a list; begin each rule with `- match:`", at: path)
    }
  }

  private init(
    _ rule: RecipeValue, at path: RecipePath, of document: RecipeDocument
  ) throws(RecipeError) {
    guard case .map(var values) = rule, case .map(let match)? = values["match"], !match.isEmpty
    else {
      throw document.error(
        .badSetting,
        """
        a rule needs match, as {camera: "Canon*"}; values for all pictures belong outside of rules
        """, at: path)
    }
    values["match"] = nil
    var conditions: [String] = []
    for key in match.keys.sorted() {
      let here = path.appending("match").appending(key)
      let value = match[key] ?? .null
      switch (key, value) {
      case ("camera", .text(let text)):
        camera = try Self.glob(text, at: here, of: document)
        conditions.append("camera \"\(text)\"")
      case ("lens", .text(let text)):
        lens = try Self.glob(text, at: here, of: document)
        conditions.append("lens \"\(text)\"")
      case ("iso", _):
        iso = try Self.range(value, at: here, of: document)
        conditions.append("iso \(value.line)")
      case ("camera", _), ("lens", _):
        throw document.error(
          .badSetting, "\(key) is \(value.kind); it takes a name, where * matches anything",
          at: here)
      default: hasUnknown = true
      }
    }
    let kind: RecipeOrigin.Kind = lens != nil ? .lens : iso != nil ? .cameraISO : .camera
    let name = conditions.isEmpty ? "\(path)" : conditions.joined(separator: " ")
    layer = RecipeLayer(
      kind, "rule \(name) of \(document.path ?? "the caller")", values: .map(values),
      document: document, base: path)
  }

  private static func glob(
    _ text: String, at path: RecipePath, of document: RecipeDocument
  ) throws(RecipeError) -> Glob {
    guard text.utf8.count <= RecipeLimits.patternBytes else {
      throw document.error(
        .badSetting,
        "\(path.name) has more than \(RecipeLimits.patternBytes) bytes, which no name has; "
          + "shorten it by *",
        at: path)
    }
    return Glob(text)
  }

  private static func range(
    _ value: RecipeValue, at path: RecipePath, of document: RecipeDocument
  ) throws(RecipeError) -> ClosedRange<Double> {
    switch value {
    case .number(let speed): return speed...speed
    case .list(let ends) where ends.count == 2:
      let lower: Double? =
        if case .number(let n) = ends[0] { n } else { ends[0] == .null ? 0 : nil }
      let upper: Double? =
        if case .number(let n) = ends[1] { n } else { ends[1] == .null ? .infinity : nil }
      if let lower, let upper, lower <= upper { return lower...upper }
    default: break
    }
    throw document.error(
      .badSetting,
      "iso is \(value.brief); it takes a speed or two with null for no end, as [1600, null]",
      at: path)
  }

  /// Its values; nil where its conditions do not hold.
  func layer(for info: PictureInfo) -> RecipeLayer? {
    guard !hasUnknown else { return nil }
    if let camera, !info.cameraNames.contains(where: camera.matches) { return nil }
    if let lens, !(info.lens.map(lens.matches) ?? false) { return nil }
    if let iso, !(info.iso.map(iso.contains) ?? false) { return nil }
    return layer
  }

  /// The kind of its layer.
  var kind: RecipeOrigin.Kind { layer.kind }

  /// Whether it is more specific than `other`: more conditions, then more literal characters, then
  /// fewer speeds.
  func isNarrower(than other: DefaultsRule) -> Bool {
    let (a, b) = (narrowness, other.narrowness)
    return (a.0, a.1, -a.2) > (b.0, b.1, -b.2)
  }

  private var narrowness: (Int, Int, Double) {
    let count = [camera != nil, lens != nil, iso != nil].count { $0 }
    let speeds = iso.map { min($0.upperBound, 1e9) - max($0.lowerBound, 0) } ?? 1e9
    return (count, (camera?.literals ?? 0) + (lens?.literals ?? 0), speeds)
  }
}
