import ArgumentParser
import Batch
import Develop
import Formats
import Foundation
import SystemPackage

/// `rawdev manifest`
struct ManifestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manifest",
    abstract: "Lists raws as JSON lines, for rawdev batch --manifest.",
    discussion: """
      One line for each raw: {"id": …, "in": PATH}, to which "recipe" (a name, a path or values) \
      and "out" (path below the output folder, without extension) may be added. Paths below the \
      folder of the manifest are relative to it.
      """)

  @Argument(help: "Folders and raws.", completion: .file())
  var inputs: [String]

  @Option(name: [.short, .long], help: "File for the list. (default: standard output)")
  var output: String?

  @OptionGroup var overwriting: OverwriteOptions

  func run() throws {
    let here = ArgumentPath.workingFolder
    let file = try output.map { try overwriting.list($0, .manifest) }
    let list = try SourceList(inputs.map(ArgumentPath.path), workingFolder: here)
    for failure in list.failures { Terminal.failure("\(failure)") }
    let lines = try Manifest.lines(list.sources, relativeTo: file?.removingLastComponent() ?? here)
    if let file {
      try AtomicFile.write(to: file) { put in try put(lines) }
    } else {
      _ = Terminal.output(lines)
    }
    Terminal.message("\(list.sources.count) raws, \(list.passedOver) other files")
    if !list.failures.isEmpty { throw ExitStatus.someFailed }
  }
}
