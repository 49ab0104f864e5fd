import ArgumentParser
import Develop

/// How a result is printed: a line for people, or one JSON object.
struct ResultOptions: ParsableArguments {
  @Flag(help: "Print one JSON object for each result on standard output.")
  var json = false

  @OptionGroup var terminal: TerminalOptions

  /// Prints `result`, of writing `output`, as JSON, or otherwise `text`.
  func show(
    _ result: some Encodable, writing output: String, _ text: @autoclosure () -> String
  ) throws {
    guard json || !terminal.quiet else { return }
    if json {
      Terminal.resultJSON(try JSON.line(result), writing: output)
    } else {
      Terminal.result(text(), writing: output)
    }
  }

  /// The same with a row for each name and value instead of a text.
  func show(
    _ result: some Encodable, writing output: String, rows: [(name: String, value: String)]
  ) throws {
    if json { return Terminal.resultJSON(try JSON.line(result), writing: output) }
    guard !terminal.quiet else { return }
    for (name, value) in rows { Terminal.printRow(name, value) }
  }
}
