extension RecipeDocument {
  /// Errors and warnings of the document itself; what it extends and what it is merged with is not
  /// looked at. `isDefaults`: whether it gives the defaults of a folder, where alone `rules` and
  /// `root` count.
  public func problems(isDefaults: Bool = false) -> [RecipeProblem] {
    var problems = RecipeCheck(values).findings.map { problem($0.severity, $0.path, $0.message) }
    problems += asides(isDefaults: isDefaults)
    do { _ = try DefaultsRule.all(of: self) } catch {
      let isKnown = problems.contains { $0.severity == .error && $0.line == error.line }
      if !isKnown {
        problems.append(problem(.error, RecipePath(keys: "rules"), error.message))
      }
    }
    return problems.sorted { ($0.line ?? 0, $0.key) < ($1.line ?? 0, $1.key) }
  }
}

extension RecipeDocument {
  /// What of the document its values do not show: how it was brought into the newest form, and what
  /// counts in defaults only.
  fileprivate func asides(isDefaults: Bool) -> [RecipeProblem] {
    var problems = migrated.map { change in
      problem(
        .warning, change.path, "\(change.message); `rawdev recipe migrate` writes the new form")
    }
    for name in ["rules", "root"] where !isDefaults && values[name] != nil {
      problems.append(
        problem(
          .warning, RecipePath(keys: name),
          "\(name) counts in .rawdev/defaults.yaml only and has no effect here"))
    }
    return problems
  }

  private func problem(
    _ severity: RecipeProblem.Severity, _ key: RecipePath, _ message: String
  ) -> RecipeProblem {
    let line = path == nil ? nil : lines.line(of: key)
    return RecipeProblem(severity, key, message, path: path, line: line)
  }
}

extension RecipeLayer {
  /// Warnings of its document that its values do not show.
  public var warnings: [RecipeProblem] {
    guard let document, base.steps.isEmpty else { return [] }
    return document.asides(isDefaults: kind == .folder)
  }
}

extension LayeredRecipe {
  /// Errors and warnings of the effective values, each with the document and line that it comes
  /// from.
  public var problems: [RecipeProblem] {
    RecipeCheck(values).findings.map { finding in
      let origin = origin(of: finding.path)
      let place = origin.flatMap { $0.path == nil ? $0.source : nil }.map { "\($0): " } ?? ""
      return RecipeProblem(
        finding.severity, finding.path, place + finding.message, path: origin?.path,
        line: origin?.line)
    }
  }
}
