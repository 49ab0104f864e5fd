import ArgumentParser
import Develop
import Foundation
import ImageCore
import RawFilter
import Recipes
import SystemPackage

/// `rawdev bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Shows the CPU time of each stage of developing a raw.",
    discussion: """
      The raw is developed as by develop, with the same options, into a temporary file, and each \
      stage is measured while that happens. The rows are the CPU time of all threads and add up \
      to the time of the process; of several runs the one with the least CPU time counts. A trace \
      shows the activity of each thread over time: open it in chrome://tracing or Perfetto.

      With --digests no time is measured and no file written: the raw is rendered once for the \
      first output, and each row is a hash of the pixels after a stage, in pipeline order. \
      Where two versions of the program differ, the first digest that differs is \
      of the stage that changed. Digests do not depend on the number of threads. The pictures are \
      in memory meanwhile, up to 96 bytes a pixel.
      """)

  @Argument(help: "A camera raw or DNG.", completion: .file())
  var file: String

  @Option(help: "How often the raw is developed.")
  var runs = 3

  @Option(
    help: "Write what each thread did to this file, in Chrome's trace format.",
    completion: .file(extensions: ["json"]))
  var trace: String?

  @Flag(help: "Print a digest of the pixels after each stage instead of its time.")
  var digests = false

  @Option(help: "Use no larger set of instructions, as on a processor without it.")
  var instructions: InstructionSet?

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard runs >= 1, runs <= 1000 else { throw ValidationError("--runs takes 1 to 1000") }
    guard !digests || trace == nil else {
      throw ValidationError("--digests measures no times for --trace to write; give one of them")
    }
  }

  func run() throws {
    let target = try trace.map {
      try overwriting.file($0, of: [file])
    }
    instructions?.limitKernels()
    let planner = RecipePlanner(
      try recipes.resolver(raw: rawOptions.values),
      outputs: outputOptions.isGiven ? outputOptions.chosen() : nil,
      workingFolder: ArgumentPath.workingFolder)
    let path = ArgumentPath.absolute(file)
    let source = RawSource(path: path, relativePath: FilePath(path.lastComponent?.string ?? file))
    var developer = Developer(workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    func recipe(of filter: RAWFilter) throws -> Recipe { try planner.plan(source, filter).recipe }
    if digests {
      let report = try DigestReport(path: file, developer: developer, recipe: recipe)
      if json { return print(try JSON.line(report)) }
      return Terminal.printText(report.table, keepsLines: true)
    }
    let report = try BenchReport(
      path: file, developer: developer, runs: runs, traces: target != nil, recipe: recipe)
    if let target { try report.writeTrace(to: target) }
    if json { return print(try JSON.line(report)) }
    Terminal.printText(report.table, keepsLines: true)
  }
}

extension InstructionSet: ExpressibleByArgument {}
