import ArgumentParser
import Batch
import Develop
import Formats
import Logging
import RawFilter
import Recipes

/// `rawdev develop`
struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops raws into HDR or SDR stills.",
    discussion: """
      Without -o each picture is written next to its raw, with the extension of its format. With \
      several raws, a folder of them, or a recipe of several outputs, -o names a folder. Defaults \
      of folders, recipes and sidecars apply; options override them, and options of the output \
      replace the recipe's outputs. A file that fails is named; the others are developed. Outputs \
      appear under their names only when they are complete, and replace files that rawdev made of \
      the same raw and nobody edited since; other files only with --overwrite. The line about a \
      file names its range and primaries. To mirror folders, and to resume, see rawdev batch.
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

  @Flag(help: "Search subfolders, too.")
  var recursive = false

  @Flag(help: "Print what would be written, and from which recipe, without writing files.")
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
      throw ValidationError("--save writes next to the raw, and standard input has no folder")
    }

    var loop = InputLoop(raws)
    loop.failed = { input, code, message in
      if result.json {
        print(try JSON.line(Failure(input: input, code: code, message: message)))
      }
    }
    var hasSeries = false
    try loop.run { turn in
      let input = turn.input
      let raw = try isolation.openRaw(input, properties: rawOptions.acting)
      let plan = try planner.planned(names.source(input), named: input, raw.info)
      if !dryRun, !hasSeries, try lacksEntry(plan, raw.info) {
        // Those before it have theirs.
        try makeSeries(raws.files[turn.index...], planner, names)
        hasSeries = true
      }
      let targets = try names.targets(input, plan.outputs)
      if dryRun { return try result.show(plan, targets, of: input) }
      let sidecar = try save ? SidecarFile.path(of: input) : nil
      var developer = developer(plan.recipe)
      developer.sidecarDescription = plan.resolved.description
      let reports = try raw.develop(developer, targets.mapValues(names.destination)) { fraction in
        turn.show(fraction == nil ? "decoding" : "developing", fraction)
      }
      Terminal.clearProgress()
      if let sidecar { try SidecarFile.save(saved, to: sidecar) }
      Terminal.notes(reports, about: input)
      outputOptions.note(reports, to: names.file)
      for report in reports {
        try result.show(report, writing: report.output, report.written.developedLine)
        log.debug("developed", metadata: ["input": "\(input)", "seconds": "\(report.seconds)"])
      }
    }
  }

  /// What develops by `recipe` and the options.
  func developer(_ recipe: Recipe) -> Developer {
    var developer = Developer(
      recipe: recipe, workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    return developer
  }

  private struct Failure: Encodable {
    var input: String
    var code: String
    var message: String
  }
}
