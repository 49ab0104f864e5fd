/// The form that recipes had before they said which (schema 0), as this one: a single `output`, now
/// the output `main`; and `extendedDynamicRangeAmount` beside `raw`, which took the place of the
/// one in `raw` whether it was there or not. Everything else stays, known or not.
public struct RecipeMigration: Sendable, Hashable {
  /// One thing that changed.
  public struct Change: Sendable, Hashable {
    /// Where it now stands.
    public var path: RecipePath
    /// What changed, without a period.
    public var message: String
  }

  /// What changed; empty where the document has the newest form.
  public private(set) var changes: [Change] = []
  /// The values in the newest form.
  public private(set) var values: RecipeValue
  /// Their lines.
  public private(set) var lines: DocumentLines

  /// The newest form of `values`.
  public init(_ values: RecipeValue, lines: DocumentLines = DocumentLines(1)) {
    self.values = values
    self.lines = lines
    let isOld = values["schema"] == nil || values["schema"] == .number(0)
    guard isOld else { return }
    if values["schema"] != nil {
      self.values["schema"] = .number(1)
      changes.append(Change(path: RecipePath(keys: "schema"), message: "schema 0 is now 1"))
    }
    let hasAmount = values["extendedDynamicRangeAmount"] != nil
    guard values["output"] != nil || hasAmount, values["outputs"] == nil else { return }
    // The old form did not look at it.
    if values["raw"]?["extendedDynamicRangeAmount"] != nil {
      self.values["raw"]?["extendedDynamicRangeAmount"] = nil
      self.lines.keys["raw"]?.keys["extendedDynamicRangeAmount"] = nil
      changes.append(
        Change(
          path: RecipePath(keys: "raw"),
          message: "raw.extendedDynamicRangeAmount had no effect and is taken out"))
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
  /// The document as `rawdev recipe migrate` writes it: the newest form, which it names.
  public var newestForm: RecipeValue {
    var values = values
    values["schema"] = .number(Double(Self.newestSchema))
    return values
  }
}
