import ArgumentParser
import Develop
import Foundation
import ImageCore
import Logging
import RawFilter
import Recipes
import SystemPackage

/// `rawdev develop`
struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops raws into HDR or SDR stills.",
    discussion: """
      Without -o each picture is written beside its raw, with the extension of its format. With \
      several raws, a folder of them, or a recipe of several outputs, -o names a folder. Defaults \
      of folders, recipes and sidecars apply; options override them, and options of the output \
      replace the recipe's outputs. A file that fails is named; the others are developed. Outputs \
      appear under their names only when they are complete, and replace files that rawdev wrote, \
      no others without --overwrite. The line about a file names its range and primaries. For \
      folders that are mirrored and resumed see rawdev batch.
      """)

  @Argument(help: "Camera raws, DNGs, folders of them; - for standard input.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long], help: "File, or folder for several raws; - for standard output.",
    completion: .file())
  var output: String?

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @Flag(help: "Write the recipe into the XMP of the output, for --recipe to read again.")
  var embedRecipe = false

  @OptionGroup(title: "HDR metadata") var metadataOptions: HDRMetadataOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @Flag(help: "Look for raws below the folders, too.")
  var recursive = false

  @Flag(help: "Print what would be written, and from which recipe; write nothing.")
  var dryRun = false

  @Flag(help: "Write the development options and --set into the raw's sidecar, RAW.rawdev.yaml.")
  var save = false

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var threads: ThreadOptions

  @OptionGroup var lenses: LensOptions

  @OptionGroup var result: ResultOptions

  @Flag(name: [.short, .long], help: "Print more messages on standard error.")
  var verbose = false

  func run() throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var log = Logger(label: "rawdev")
    log.logLevel = verbose ? .debug : .warning

    let metadata = try metadataOptions.metadata
    let raws = try RawInputs(try StandardStreams.inputs(inputs), recursive: recursive)
    let names = try OutputNames(
      inputs: raws.files, output: output, isFolder: raws.hasFolders,
      overwrites: overwriting.overwrite, makesFolders: !dryRun)
    let isOwnOutput =
      outputOptions.isGiven || names.file != nil || metadata != HDRMetadata()
    let chosen =
      isOwnOutput ? outputOptions.chosen(output: names.file, metadata: metadata) : nil
    // What is wrong in any case is reported before any work.
    _ = try chosen?([:])
    let embedRecipe = embedRecipe
    let planner = RecipePlanner(
      try recipes.resolver(raw: rawOptions.values),
      outputs: { outputs in
        try (chosen?(outputs) ?? outputs).mapValues { output in
          var output = output
          output.embedsRecipe = output.embedsRecipe || embedRecipe
          return output
        }
      },
      workingFolder: ArgumentPath.workingFolder)
    let saved = try recipes.values(raw: rawOptions.values)
    if save, saved == .map([:]) {
      throw ValidationError("--save has nothing to save; give options of the development, or --set")
    }

    var number = 0
    try ExitStatus.forEach(raws.files) { input in
      number += 1
      let count = raws.files.count > 1 ? "\(number)/\(raws.files.count)  " : ""
      let (plan, filter) = try planned(input, planner, names)
      let targets = try names.targets(input, plan.outputs)
      if dryRun { return try show(plan, targets, of: input) }
      let reports = try develop(filter, plan, input, to: targets, named: count)
      Terminal.clearProgress()
      if save { try SidecarFile.save(saved, for: input) }
      for warning in Set(reports.flatMap(\.warnings)).sorted() {
        Terminal.note(warning, about: input)
      }
      for report in reports {
        try result.show(report, writing: report.output, Self.summary(report))
        log.debug("developed", metadata: ["input": "\(input)", "seconds": "\(report.seconds)"])
      }
    } failed: { input, error in
      if result.json { print(try JSON.line(Failure(input: input, error: error))) }
    }
  }

  private func planned(
    _ input: String, _ planner: RecipePlanner, _ names: OutputNames
  ) throws -> (RecipePlanner.Plan, RAWFilter) {
    let filter = try Developer.open(input)
    let plan: RecipePlanner.Plan
    do {
      plan = try planner.plan(names.source(input), filter)
    } catch let error as RecipeError { throw DevelopError.recipe(error) }
    for note in plan.resolved.warnings + plan.resolved.notes {
      Terminal.note(note, about: input)
    }
    return (plan, filter)
  }

  private func develop(
    _ filter: RAWFilter, _ plan: RecipePlanner.Plan, _ input: String,
    to targets: [String: String], named count: String
  ) throws -> [DevelopReport] {
    let start = ContinuousClock.now
    let name = ArgumentPath.name(input)
    var developer = Developer(
      recipe: plan.recipe, workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    developer.sidecarDescription = plan.resolved.description
    return try developer.develop(filter, named: input, to: targets) { progress in
      switch progress {
      case .decoding: Terminal.show("\(count)\(name): decoding", nil, since: start)
      case .rendering(let fraction):
        Terminal.show("\(count)\(name): developing", fraction, since: start)
      }
    }
  }

  /// What a dry run says of an output.
  private struct Planned: Encodable {
    var input, output, name, format, coding: String
    /// Recipes, sidecars and options that give a value, weakest first.
    var recipe: [String]
  }

  private func show(
    _ plan: RecipePlanner.Plan, _ targets: [String: String], of input: String
  ) throws {
    let recipe = plan.resolved.layered.sources
    for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
      guard let output = plan.recipe.outputs[name] else { continue }
      let planned = Planned(
        input: input, output: target, name: name, format: output.format.rawValue,
        coding: output.coding, recipe: recipe)
      try result.show(
        planned, writing: "",
        "\(input) -> \(target): \(planned.format) (\(planned.coding)), from "
          + (recipe.isEmpty ? "the defaults" : recipe.joined(separator: ", ")))
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
    return "\(r.output): \(r.width)x\(r.height) \(r.format) (\(r.coding)), headroom \(headroom), "
      + "MaxCLL \(r.maxCLL) cd/m2, \(r.bytes) bytes, \(time) s"
  }
}
