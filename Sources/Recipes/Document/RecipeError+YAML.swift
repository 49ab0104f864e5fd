import Yams

extension RecipeError {
  /// The error of the parser in `text`, in one line that says what to do.
  init(_ error: YamlError, text: String, path: String?) {
    func at(_ line: Int, _ message: String) -> RecipeError {
      RecipeError(.malformed, message, path: path, line: max(1, line))
    }
    switch error {
    case .reader(let problem, let offset, _, _):
      let line = text.utf8.prefix(offset ?? 0).count { $0 == 0x0A } + 1
      self = at(line, "this is no text (\(problem)); save the recipe as UTF-8")
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
      if problem.contains("nesting level") {
        self = at(mark.line, "values are nested too deep; recipes are flat")
        return
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isTabbed = lines.indices.contains(mark.line - 1) && lines[mark.line - 1].contains("\t")
      self = at(
        mark.line,
        "this is no YAML (\(problem)); "
          + (isTabbed ? "indent with spaces, not tabs" : "check the indentation and quotes here"))
    case .composer(_, let problem, let mark, _):
      self = at(
        mark.line,
        problem.contains("another document")
          ? "a second document begins here; a file holds one recipe"
          : "this is no YAML (\(problem)); check the line")
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.prefix(3).joined(separator: ", ")
      self = at(context.mark.line, "\(names) occurs twice in its map; remove one")
    case .memory:
      self = RecipeError(
        .malformed, "values are nested too deep; recipes are flat", path: path)
    default:
      self = RecipeError(.malformed, "this is no YAML; check the file", path: path)
    }
  }
}
