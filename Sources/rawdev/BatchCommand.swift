import ArgumentParser
import Batch
import Foundation
import Recipes
import SystemPackage

/// `rawdev batch`
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Develops whole folders: resumable, each file for itself.",
    discussion: """
      Folders are searched for raws and mirrored below -o. What is up to date is left alone; a file that \
      fails, hangs or crashes a decoder costs itself and one line; a run that was killed is taken up \
      where it stood. Recipes come from .rawdev/defaults.yaml, --recipe and sidecars. A report for \
      people and one for programs are left in the output folder.
      """)

  @Argument(help: "Folders and raws.", completion: .file())
  var inputs: [String] = []

  @Option(help: "List of raws as JSON lines, see rawdev manifest.", completion: .file())
  var manifest: String?

  @Option(name: [.short, .long], help: "Folder for the outputs.", completion: .directory)
  var output: String

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Work") var work: WorkOptions

  @Option(help: "The part of the whole that this run does: k/n with k from 0, or auto.")
  var shard: String?

  @Flag(help: "Put all outputs into one folder.")
  var flat = false

  @Flag(help: "Read what looks up to date to make sure.")
  var verify = false

  @Flag(help: "Replace files that were not written by this batch, or changed since.")
  var overwrite = false

  @Flag(name: .customLong("json"), help: "Print what happens as JSON lines on standard output.")
  var json = false

  func run() throws {
    let here = FilePath(FileManager.default.currentDirectoryPath)
    let target = here.pushing(FilePath(output)).lexicallyNormalized()
    let stop = BatchStop()
    Interruption.hand { stop.request() }
    do {
      let sources = try self.sources(here, target)
      var options = BatchOptions(
        output: target, worker: WorkerCommand.command, version: Rawdev.version)
      try work.apply(to: &options)
      (options.verifies, options.overwrites) = (verify, overwrite)
      options.shard = try shard.map { try Shard($0) }
      let part = options.shard?.part(of: sources) ?? sources
      let planner = RecipePlanner(try recipes.resolver(), workingFolder: here)
      let printer = BatchPrinter(json: json)
      let batch = try Batch(
        part, recipes: planner, options: options, stop: stop, report: printer.show)
      let end = try batch.run()
      if let status = ExitStatus(rawValue: Int32(end.exitCode)) { throw status }
    } catch let error as BatchError {
      Terminal.clearProgress()
      Terminal.message("rawdev: \(error)")
      throw ExitStatus(error)
    }
  }

  private func sources(_ here: FilePath, _ target: FilePath) throws -> [BatchSource] {
    if let manifest {
      guard inputs.isEmpty else { throw ValidationError("give files and folders, or --manifest") }
      return try Manifest.sources(at: FilePath(manifest), workingFolder: here)
    }
    guard !inputs.isEmpty else { throw ValidationError("give folders, raws or --manifest") }
    let list = try SourceList(inputs.map { FilePath($0) }, workingFolder: here, except: target)
    for failure in list.failures { Terminal.message("rawdev: \(failure)") }
    return list.sources
  }
}
