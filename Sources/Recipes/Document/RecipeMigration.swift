import ImageFilters

/// Recipes of earlier formats, brought into the present one.
///
/// Schema 0, the format before recipes had a `schema`: a single `output` becomes the output `main`,
/// and `extendedDynamicRangeAmount` beside `raw`, which overrode the one in `raw`, moves there. In
/// any schema `render.crop` and `render.angle`, from before the frame was part of the development,
/// become `raw.crop` and `raw.straightenAngle`. All other keys are kept, known or not.
public struct RecipeMigration: Sendable, Hashable {
  /// A value that changed.
  public struct Change: Sendable, Hashable {
    /// Its new position.
    public var path: RecipePath
    /// What changed, for messages, without a period.
    public var message: String
  }

  /// All changes; none where the document has the newest format.
  public private(set) var changes: [Change] = []
  /// The values in the newest format.
  public private(set) var values: RecipeValue
  /// Their lines.
  public private(set) var lines: DocumentLines

  /// Brings `values` into the newest format.
  public init(_ values: RecipeValue, lines: DocumentLines = DocumentLines(1)) {
    self.values = values
    self.lines = lines
    moveFrame()
    let isOld = values["schema"] == nil || values["schema"] == .number(0)
    guard isOld else { return }
    if values["schema"] != nil {
      self.values["schema"] = .number(1)
      changes.append(Change(path: RecipePath(keys: "schema"), message: "schema 0 is now 1"))
    }
    let hasAmount = values["extendedDynamicRangeAmount"] != nil
    guard values["output"] != nil || hasAmount, values["outputs"] == nil else { return }
    // In schema 0 it had no effect.
    if values["raw"]?["extendedDynamicRangeAmount"] != nil {
      self.values["raw"]?["extendedDynamicRangeAmount"] = nil
      self.lines.keys["raw"]?.keys["extendedDynamicRangeAmount"] = nil
      changes.append(
        Change(
          path: RecipePath(keys: "raw"),
          message: "raw.extendedDynamicRangeAmount had no effect and is removed"))
    }
    if let amount = values["extendedDynamicRangeAmount"] {
      move(from: "extendedDynamicRangeAmount", to: "raw", "extendedDynamicRangeAmount", amount)
    }
    if let output = values["output"] { move(from: "output", to: "outputs", "main", output) }
  }

  /// `values`, which have no lines, in the newest format.
  public static func newest(_ values: RecipeValue) -> RecipeValue {
    var values = values
    values["schema"] = .number(1)
    var newest = RecipeMigration(values).values
    newest["schema"] = nil
    return newest
  }

  private mutating func moveFrame() {
    for (old, name) in [("crop", "crop"), ("angle", "straightenAngle")] {
      guard var value = values["render"]?[old] else { continue }
      switch values["raw"] {
      case .map?: break
      case nil, .null?: values["raw"] = .map([:])
      // What this is, the check says.
      default: continue
      }
      if old == "crop", case .list(let list) = value {
        let edges = list.compactMap { if case .number(let edge) = $0 { edge } else { nil } }
        // What is no crop is refused as what it is now.
        value = .text(
          edges.count == list.count
            ? CropArea(edges: edges)?.description ?? value.line : value.line)
      }
      let line = lines.keys["render"]?.keys[old] ?? DocumentLines(lines.line)
      values["render"]?[old] = nil
      lines.keys["render"]?.keys[old] = nil
      if values["render"] == .map([:]) { values["render"] = nil }
      values["raw"]?[name] = value
      lines.keys["raw", default: DocumentLines(line.line)].keys[name] = line
      let path = RecipePath(keys: "raw", name)
      changes.append(Change(path: path, message: "render.\(old) is now \(path)"))
    }
  }

  private mutating func move(
    from old: String, to group: String, _ name: String, _ value: RecipeValue
  ) {
    let line = lines.keys[old] ?? DocumentLines(lines.line)
    values[old] = nil
    lines.keys[old] = nil
    let path = RecipePath(keys: group, name)
    if value != .null {
      if case .map? = values[group] {} else { values[group] = .map([:]) }
      values[group]?[name] = value
      lines.keys[group, default: DocumentLines(line.line)].keys[name] = line
    }
    changes.append(Change(path: path, message: "\(old) is now \(path)"))
  }
}

extension RecipeDocument {
  /// The document as `rawdev recipe migrate` writes it: in the newest format, with its `schema`.
  public var newestForm: RecipeValue {
    var values = values
    values["schema"] = .number(Double(Self.newestSchema))
    return values
  }

  /// The text of ``newestForm``, in JSON where the name of the file says so.
  public var newestText: String {
    let isJSON = (path ?? "").lowercased().hasSuffix(".json")
    return isJSON ? newestForm.json + "\n" : newestForm.yaml
  }

  /// Replaces the file with ``newestText``. Throws ``RecipeError/Code/cannotWrite``.
  public func writeNewestForm() throws(RecipeError) {
    guard let path else { return }
    try DocumentFile.replace(path, with: newestText)
  }
}
