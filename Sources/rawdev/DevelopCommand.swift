import ArgumentParser
import Develop
import Foundation
import ImageCore
import Logging
import RawFilter
import Recipes
import Synchronization
import SystemPackage

/// `rawdev develop`
struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops raws into HDR or SDR stills.",
    discussion: """
      Without -o each picture is written beside its raw, with the extension of its format. With \
      several raws, or a recipe of several outputs, -o names a folder. Defaults of folders, \
      recipes and sidecars apply; options override them, and options of the output replace the \
      recipe's outputs. A file that fails is named; the others are developed. Outputs appear under \
      their names only when they are complete, and replace files that rawdev wrote, no others \
      without --overwrite. For whole folders see rawdev batch.
      """)

  @Argument(help: "Camera raws, DNGs; - for standard input.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long], help: "File, or folder for several raws; - for standard output.",
    completion: .file())
  var output: String?

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @Option(help: "Longest side of the output in pixels; smaller pictures are not enlarged.")
  var maxSize: Int?

  @OptionGroup(title: "HDR metadata") var metadataOptions: HDRMetadataOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var threads: ThreadOptions

  @OptionGroup var lenses: LensOptions

  @Flag(help: "Print one JSON object for each file on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Print more messages on standard error.")
  var verbose = false

  @Flag(name: [.short, .long], help: "Print what failed, and nothing else.")
  var quiet = false

  func run() throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var log = Logger(label: "rawdev")
    log.logLevel = verbose ? .debug : .warning
    if quiet { Terminal.isQuiet.store(true, ordering: .relaxed) }

    let metadata = try metadataOptions.metadata
    let inputs = try StandardStreams.inputs(inputs)
    let names = try OutputNames(
      inputs: inputs, output: output, overwrites: overwriting.overwrite)
    let isOwnOutput =
      outputOptions.isGiven || names.file != nil || metadata != HDRMetadata() || maxSize != nil
    let chosen =
      isOwnOutput
      ? outputOptions.chosen(output: names.file, metadata: metadata, maxSize: maxSize) : nil
    // What is wrong in any case is reported before any work.
    _ = try chosen?([:])
    let planner = RecipePlanner(
      try recipes.resolver(raw: rawOptions.values), outputs: chosen,
      workingFolder: ArgumentPath.workingFolder)

    try ExitStatus.forEach(inputs) { input in
      let reports = try develop(input, planner, names)
      Terminal.clearProgress()
      for warning in Set(reports.flatMap(\.warnings)).sorted() {
        Terminal.note("\(input): note: \(warning)")
      }
      for report in reports {
        if json {
          Terminal.result(try JSON.line(report), writing: report.output)
        } else if !quiet {
          Terminal.result(Self.summary(report), writing: report.output)
        }
        log.debug("developed", metadata: ["input": "\(input)", "seconds": "\(report.seconds)"])
      }
    } failed: { input, error in
      if json { print(try JSON.line(Failure(input: input, error: error))) }
    }
  }

  private func develop(
    _ input: String, _ planner: RecipePlanner, _ names: OutputNames
  ) throws -> [DevelopReport] {
    let start = ContinuousClock.now
    let filter = try Developer.open(input)
    let source = names.source(input)
    let plan: RecipePlanner.Plan
    do { plan = try planner.plan(source, filter) } catch let error as RecipeError {
      throw DevelopError.recipe(error)
    }
    for note in plan.resolved.warnings + plan.resolved.notes {
      Terminal.note("\(input): note: \(note)")
    }
    let targets = try names.targets(input, plan.outputs)
    var developer = Developer(
      recipe: plan.recipe, workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    return try developer.develop(filter, named: input, to: targets) {
      Terminal.show($0, of: source.relativePath.shown, since: start)
    }
  }

  private struct Failure: Encodable {
    var input: String
    var code: String
    var message: String

    init(input: String, error: DevelopError) {
      self.input = input
      code = error.code
      message = error.description
    }
  }

  private static func summary(_ r: DevelopReport) -> String {
    let headroom = String(format: "%.2f", r.contentHeadroom)
    let time = String(format: "%.2f", r.seconds)
    return "\(r.output): \(r.width)x\(r.height) \(r.format), headroom \(headroom), "
      + "MaxCLL \(r.maxCLL) cd/m2, \(r.bytes) bytes, \(time) s"
  }
}
