import ArgumentParser
import Develop
import Foundation
import ImageCore
import RawFilter

/// `rawdev info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Prints the contents of a raw and how it can be developed.",
    discussion: """
      Takes milliseconds. With --pixels the pixels are decoded, too, for the sensor's levels, the \
      clipping, the headroom and the defaults that are measured in the picture.
      """)

  @Argument(help: "A camera raw or DNG.", completion: .file())
  var file: String

  @Flag(inversion: .prefixedNo, help: "Decode the pixels to find levels and headroom.")
  var pixels = false

  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let report = try InfoReport(path: file, decodesPixels: pixels, lensDatabase: lenses.database)
    if json { return print(try JSON.line(report)) }
    for (name, value, remedies) in report.lines {
      Terminal.printRow(name, Hint.added(to: value, remedies))
    }
    if let remedies = report.remedies { Terminal.printRow("what helps", Hint.ways(remedies)) }
  }
}
