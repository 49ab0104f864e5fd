import ArgumentParser
import Develop
import Foundation

/// `rawdev bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures each stage of the pipeline on a raw.",
    discussion: """
      Times are the best of the runs. A stage's time is that of the picture up to it less that up \
      to the stage before. CPU time counts all threads. Memory counts pixels only; the last line \
      gives the peak of the whole process.
      """)

  @Argument(help: "A camera raw or DNG.", completion: .file())
  var file: String

  @Option(help: "Runs of each stage.")
  var runs = 3

  @OptionGroup var threads: ThreadOptions

  @OptionGroup var lenses: LensOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard runs >= 1, runs <= 1000 else { throw ValidationError("--runs takes 1 to 1000") }
  }

  func run() throws {
    let report = try BenchReport(
      path: file, runs: runs, workers: threads.count, lensDatabase: lenses.database)
    print(json ? try JSON.line(report) : report.table)
  }
}
