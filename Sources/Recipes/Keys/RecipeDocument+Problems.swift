import ImageCore

extension RecipeDocument {
  /// Errors and warnings about the document itself, excluding documents that it extends or is
  /// merged with. `isDefaults`: whether it holds the defaults of a folder, the only ones with
  /// `rules` and `root`.
  public func problems(isDefaults: Bool = false) -> [RecipeProblem] {
    var problems = RecipeCheck(values).findings.map { problem($0.severity, $0.path, $0.message) }
    problems += documentWarnings(isDefaults: isDefaults)
    do { _ = try DefaultsRule.all(of: self) } catch {
      let isKnown = problems.contains { $0.severity == .error && $0.line == error.line }
      if !isKnown { problems.append(problem(.error, RecipePath(keys: "rules"), error.message)) }
    }
    return problems.sorted { ($0.line ?? 0, $0.key) < ($1.line ?? 0, $1.key) }
  }

  /// Warnings that do not follow from the values: of migration, and of keys for defaults only.
  fileprivate func documentWarnings(isDefaults: Bool) -> [RecipeProblem] {
    migrated.map { change in
      problem(
        .warning, change.path, "\(change.message); migrate it to the new form",
        remedies: [.migrateRecipe])
    }
      + ["rules", "root"].filter { !isDefaults && values[$0] != nil }.map { name in
        problem(
          .warning, RecipePath(keys: name),
          "\(name) is for .rawdev/defaults.yaml only and has no effect here")
      }
  }

  private func problem(
    _ severity: RecipeProblem.Severity, _ key: RecipePath, _ message: String,
    remedies: [Remedy] = []
  ) -> RecipeProblem {
    RecipeProblem(
      severity, key, message, path: path, line: path == nil ? nil : lines.line(of: key),
      remedies: remedies)
  }
}

extension RecipeLayer {
  /// Warnings about its document that do not follow from its values.
  public var warnings: [RecipeProblem] {
    guard let document, base.steps.isEmpty else { return [] }
    return document.documentWarnings(isDefaults: kind == .folder)
  }
}

extension LayeredRecipe {
  /// Errors and warnings about the effective values, each with the document and line of its
  /// origin.
  public var problems: [RecipeProblem] {
    RecipeCheck(values).findings.map { finding in
      let origin = origin(of: finding.path)
      return RecipeProblem(
        finding.severity, finding.path, (origin?.prefix ?? "") + finding.message,
        path: origin?.path, line: origin?.line)
    }
  }
}
