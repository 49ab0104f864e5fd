import ArgumentParser
import Develop
import Foundation

/// `rawdev bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures each stage of the pipeline on a raw.",
    discussion: """
      Times are the best of the runs. A stage's time is that of the picture up to it less that up to \
      the stage before. CPU time counts all threads. Memory counts pixels only; the last line gives \
      the peak of the whole process.
      """)

  @Argument(help: "A camera raw or DNG.", completion: .file())
  var file: String

  @Option(help: "Runs of each stage.")
  var runs = 3

  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  @Option(name: .customLong("lensfun-db"), help: lensDatabaseHelp, completion: .directory)
  var lensDatabase: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard runs >= 1, runs <= 1000 else { throw ValidationError("--runs takes 1 to 1000") }
    if let threads, threads < 1 { throw ValidationError("--threads takes 1 or more") }
  }

  func run() throws {
    let report: BenchReport
    do {
      report = try BenchReport(
        path: file, runs: runs, workers: threads ?? 0, lensDatabase: lensDatabase)
    } catch {
      Terminal.message("rawdev: \(error)")
      throw ExitStatus(error)
    }
    if json { return print(try JSON.line(report)) }
    print(report.table)
  }
}
