import ArgumentParser

/// How a result is printed: a line for people, or one JSON object.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  /// Prints `result` as JSON, or else `text`.
  func show(_ result: some Encodable, _ text: @autoclosure () -> String) throws {
    print(json ? try JSON.line(result) : text())
  }
}
