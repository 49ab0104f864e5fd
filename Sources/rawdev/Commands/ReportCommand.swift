import ArgumentParser
import Batch
import Develop
import Formats
import Foundation
import SystemPackage

/// `rawdev report`
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Reports of batches.", subcommands: [Merge.self])

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Merges the reports of shards, runs and machines.",
      discussion: """
        For every raw the final state counts. Exit codes are as for rawdev batch on all raws; \
        75 when a shard is missing or was cut off.
        """)

    @Argument(help: "Reports, rawdev-report*.jsonl.", completion: .file())
    var reports: [String]

    @Option(name: [.short, .long], help: "File for the lines of all reports. (default: none)")
    var output: String?

    @Option(help: "File for the page. (default: none)")
    var html: String?

    @Option(help: "File for a manifest of failed and interrupted files. (default: none)")
    var retry: String?

    @OptionGroup var overwriting: OverwriteOptions

    func run() throws {
      let output = try output.map { try overwriting.list($0, .report) }
      let retry = try retry.map { try overwriting.list($0, .manifest) }
      let page = try html.map { try overwriting.list($0, .page) }
      try OutputNames.requireDistinct([output, retry, page].compactMap { $0?.string })
      for report in reports {
        for written in [output, retry, page].compactMap({ $0 }) {
          try OutputNames.requireDistinct([report, written.string])
        }
      }
      let merge = try ReportMerge(ReportLog(paths: reports))
      if let output { try AtomicFile.write(to: output, merge.write) }
      if let retry { try AtomicFile.write(to: retry, merge.writeRetryManifest) }
      if let page {
        let options = HTMLReport.Options(
          folder: page.removingLastComponent().string,
          workingFolder: ArgumentPath.workingFolder.string)
        try AtomicFile.write(to: page) { put in
          try HTMLReport.write(merge, options: options, to: put)
        }
      }
      Terminal.printText(
        ReportText.summary(try merge.summary(), reports: html.map { [$0] } ?? []), keepsLines: true)
      if let status = ExitStatus(merge.outcome) { throw status }
    }
  }
}
