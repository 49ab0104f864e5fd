import ArgumentParser
import Develop
import Foundation

/// `rawdev identify`
struct IdentifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Says what kind of picture a file is: range, colors, headroom, gain map.",
    discussion: """
      HEIF, AVIF, JPEG, PNG, TIFF and JPEG XL; for camera raws there is info. Pixels are not decoded.
      """)

  @Argument(help: "Pictures.", completion: .file())
  var files: [String]

  @Flag(help: "Print one JSON object for each file.")
  var json = false

  func run() throws {
    var failures: [ExitStatus] = []
    for (index, file) in files.enumerated() {
      do {
        let report = try IdentifyReport(path: file)
        if json {
          print(try JSON.line(report))
          continue
        }
        if files.count > 1 { print((index > 0 ? "\n" : "") + file) }
        for (name, value) in report.lines {
          print(name.padding(toLength: 22, withPad: " ", startingAt: 0) + value)
        }
      } catch let error as DevelopError {
        Terminal.message("rawdev: \(error)")
        failures.append(ExitStatus(error))
      }
    }
    guard let first = failures.first else { return }
    if files.count == 1 { throw first }
    throw failures.count == files.count ? ExitStatus.allFailed : ExitStatus.someFailed
  }
}
