import ArgumentParser
import Develop
import Foundation

/// `rawdev doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks raws from end to end: opening, levels, white, colors, the camera's preview.",
    discussion: """
      Prints one paragraph a file, fit for a bug report, with all doubts. Exit code 0 \
      when all can be developed, 1 when one cannot.
      """)

  @Argument(help: "Camera raws and DNGs.", completion: .file())
  var files: [String]

  @Flag(help: "Print one JSON object a file.")
  var json = false

  func run() throws {
    var areDevelopable = true
    for file in files {
      let report = DoctorReport(path: file)
      areDevelopable = areDevelopable && report.isDevelopable
      if json { print(try JSON.line(report)) } else { Terminal.printText(report.paragraph) }
    }
    if !areDevelopable { Foundation.exit(1) }
  }
}
