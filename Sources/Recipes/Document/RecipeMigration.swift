/// Converts recipes of schema 0, the format before recipes had a `schema`, to the present one: a
/// single `output` becomes the output `main`, and `extendedDynamicRangeAmount` next to `raw`, which
/// overrode the one in `raw`, moves there. In any schema, keys with a former name get the
/// present one (`FormerNames`). All other keys stay, known or not.
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
  /// Whether a file of colors was named as the look (``LookPath``), which is no old form.
  private(set) var hasLookPath = false

  /// Converts `values` to the newest format.
  public init(_ values: RecipeValue, lines: DocumentLines = DocumentLines(1)) {
    self.values = values
    self.lines = lines
    bringToNewestSchema(values)
    changes += FormerNames.replace(in: &self.values, &self.lines).map {
      Change(path: $0.path, message: "\($0.former) is now \($0.present)")
    }
    hasLookPath = LookPath.replace(in: &self.values, &self.lines)
  }

  private mutating func bringToNewestSchema(_ values: RecipeValue) {
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

  /// The text of ``newestForm``, in JSON where the file has its extension.
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
