import ArgumentParser
import Batch
import Develop
import Formats
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
      appear under their names only when they are complete, and replace what rawdev made of the \
      same raw, and nobody edited since, no other files without --overwrite. The line about a file \
      names its range and primaries. For folders that are mirrored and resumed see rawdev batch.
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

  @OptionGroup(title: "HDR metadata", visibility: HelpLevel.rest)
  var metadataOptions: HDRMetadataOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @Flag(help: "Look for raws below the folders, too.")
  var recursive = false

  @Flag(help: "Print what would be written, and from which recipe; write nothing.")
  var dryRun = false

  @Flag(help: "Write the development options and --set into the raw's sidecar, RAW.rawdev.yaml.")
  var save = false

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup(title: "Isolation", visibility: HelpLevel.rest) var isolation: IsolationOptions

  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions

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
    let planner = try recipes.planner(
      raw: rawOptions, output: outputOptions, file: names.file, metadata: metadata,
      embedsRecipe: embedRecipe)
    let saved = try recipes.values(raw: rawOptions.values)
    if save, saved == .map([:]) {
      throw ValidationError("--save has nothing to save; give options of the development, or --set")
    }

    guard !save || !raws.files.contains(StandardStreams.input) else {
      throw ValidationError("--save writes beside the raw, and standard input has no folder")
    }

    let isolated = try isolation.developer
    var number = 0
    var hasSeries = false
    try ExitStatus.forEach(raws.files, unread: raws.unread) { input in
      number += 1
      let count = raws.files.count > 1 ? "\(number)/\(raws.files.count)  " : ""
      let source = names.source(input)
      let raw: SourceRaw
      let plan: RecipePlanner.Plan
      if let isolated {
        let opened = try isolated.open(input)
        (plan, raw) = (try planner.planned(source, named: input, opened.facts), .apart(opened))
      } else {
        let (ownPlan, filter) = try planner.planned(source, named: input)
        (plan, raw) = (ownPlan, .own(filter))
      }
      if !dryRun, !hasSeries, try lacksEntry(plan, raw.facts) {
        // Those before it have theirs.
        try makeSeries(raws.files[(number - 1)...], planner, names, isolated)
        hasSeries = true
      }
      let targets = try names.targets(input, plan.outputs)
      if dryRun { return try result.show(plan, targets, of: input) }
      let sidecar = try save ? SidecarFile.path(of: input) : nil
      let reports = try develop(
        raw, plan, input, to: targets.mapValues(names.destination), named: count)
      Terminal.clearProgress()
      if let sidecar { try SidecarFile.save(saved, to: sidecar) }
      Terminal.notes(reports, about: input)
      outputOptions.note(reports, to: names.file)
      for report in reports {
        try result.show(report, writing: report.output, report.written.developedLine)
        log.debug("developed", metadata: ["input": "\(input)", "seconds": "\(report.seconds)"])
      }
    } failed: { input, code, message in
      if result.json {
        print(try JSON.line(Failure(input: input, code: code, message: message)))
      }
    }
  }

  /// A raw that is developed here, or by a worker process.
  private enum SourceRaw {
    case own(RAWFilter)
    case apart(IsolatedRaw)

    var facts: SourceFacts {
      switch self {
      case .own(let filter): SourceFacts(filter, xxh128: "")
      case .apart(let raw): raw.facts
      }
    }
  }

  private func develop(
    _ raw: SourceRaw, _ plan: RecipePlanner.Plan, _ input: String,
    to targets: [String: OutputDestination], named count: String
  ) throws -> [DevelopReport] {
    let start = ContinuousClock.now
    let name = ArgumentPath.name(input)
    var developer = Developer(
      recipe: plan.recipe, workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    developer.sidecarDescription = plan.resolved.description
    @Sendable func show(_ fraction: Double) {
      Terminal.show("\(count)\(name): developing", fraction, since: start)
    }
    switch raw {
    case .own(let filter):
      let idle = developer.reasonsWithoutEffect(
        rawOptions.acting, on: filter, called: RAWOptions.called)
      for (property, reason) in idle {
        Terminal.note("\(RAWOptions.called(property)) has no effect: \(reason)", about: input)
      }
      return try developer.develop(filter, named: input, to: targets) { progress in
        switch progress {
        case .decoding: Terminal.show("\(count)\(name): decoding", nil, since: start)
        case .rendering(let fraction): show(fraction)
        }
      }
    case .apart(let raw):
      let reports = try raw.develop(by: developer, to: targets, progress: show)
      isolation.note(reports.first?.isolation, about: input)
      return reports
    }
  }

  private struct Failure: Encodable {
    var input: String
    var code: String
    var message: String
  }
}
