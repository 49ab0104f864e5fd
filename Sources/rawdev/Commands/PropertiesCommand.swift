import ArgumentParser
import Develop
import Foundation
import RawFilter
import Recipes

/// `rawdev properties`
struct PropertiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "properties",
    abstract: "Lists every adjustable property: range, neutral, default, effect, interplay.")

  @Flag(help: "Print the page Docs/properties.md.")
  var markdown = false

  @Flag(help: "Print one JSON array.")
  var json = false

  @Flag(help: "Print the JSON Schema of a recipe's `raw` part.")
  var schema = false

  func run() throws {
    if schema {
      print(String(decoding: PropertyTable.schema, as: UTF8.self))
    } else if json {
      print(try JSON.line(RAWProperty.all))
    } else {
      print(
        markdown ? PropertyTable.markdown : PropertyTable.text, terminator: markdown ? "" : "\n")
    }
  }
}
