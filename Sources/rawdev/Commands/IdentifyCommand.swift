import ArgumentParser
import Develop
import Foundation

/// `rawdev identify`
struct IdentifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Prints what kind of picture a file is: range, colors, headroom, gain map.",
    discussion: """
      HEIF, AVIF, JPEG, PNG, TIFF, JPEG XL, WebP, OpenEXR and Radiance; for camera raws there is \
      info. Pixels are not decoded, except for those of a gain map and floats.
      """)

  @Argument(help: "Pictures.", completion: .file())
  var files: [String]

  @Flag(help: "Print one JSON object for each file.")
  var json = false

  func run() throws {
    var isFirst = true
    try InputLoop(files).run { turn in
      let file = turn.input
      defer { isFirst = false }
      let report = try IdentifyReport(path: file)
      if json { return print(try JSON.line(report)) }
      if files.count > 1 {
        if !isFirst { print() }
        Terminal.printText(file)
      }
      for (name, value) in report.lines { Terminal.printRow(name, value) }
    }
  }
}
