import ArgumentParser
import BracketMerge
import Develop
import Formats
import Foundation
import ImageCore
import RawFilter
import Recipes
import SystemPackage

/// `rawdev merge`
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges a bracket, several exposures of one scene, into one HDR still.",
    discussion: """
      The frames are merged as sensor values, before the demosaic, and the result is developed \
      like one raw: by the recipe, sidecar and options of its reference, the middle \
      exposure, with its brightness. The order of the frames does not matter. Without -o the \
      picture is written next to the reference, its name ending in -merged; with a recipe of \
      several outputs, -o names a folder. -o NAME.dng stores the merged samples, for any \
      raw program: as floats of 32 bits (with --bits 16 of 16), undeveloped, with the metadata and \
      profiles of the reference. Exposures are read from Exif and measured in the \
      pictures. Four frames between which the camera moved its sensor by one photosite, in one \
      file or in four of one exposure, give full color at each pixel, without a demosaic. A \
      frame of another camera or size, without Exif, or that cannot be read ends the merge, and \
      no file is written.
      """)

  @Argument(
    help: "Camera raws or DNGs: 2 to 128 frames, or one file of four shifted frames.",
    completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long], help: "File, or folder; - for standard output.", completion: .file())
  var output: String?

  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @Flag(help: "Write the recipe into the XMP of the output, for --recipe to read again.")
  var embedRecipe = false

  @OptionGroup(title: "HDR metadata", visibility: HelpLevel.rest)
  var metadataOptions: HDRMetadataOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @Flag(inversion: .prefixedNo, help: "Align frames that were moved to the reference.")
  var align = true

  @Flag(inversion: .prefixedNo, help: "Remove ghosts: take what moved from one of the frames.")
  var deghost = true

  @Option(
    help: ArgumentHelp(
      "Write where that is, and from which frame: a gray PNG, brighter for longer exposures.",
      valueName: "file"), completion: .file())
  var ghostMap: String?

  @Flag(help: "Print what would be written, and from which recipe, without writing files.")
  var dryRun = false

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions
  @OptionGroup var result: ResultOptions

  func run() throws {
    guard deghost || ghostMap == nil else {
      throw ValidationError("--ghost-map shows what --no-deghost would leave; give one of them")
    }
    if let output, FilePath(output).extension?.lowercased() == "dng" {
      return try mergeToDNG(output)
    }
    let metadata = try metadataOptions.metadata
    let inputs = try StandardStreams.inputs(inputs)
    let members = try Self.frames(inputs)
    let reference = try Developer.reference(of: members)
    let names = try OutputNames(
      inputs: [reference.name], others: inputs, output: output, overwrites: overwriting.overwrite,
      makesFolders: !dryRun)
    let ghostMap = try ghostMap.map { try overwriting.file($0, of: inputs) }
    let planner = try recipes.planner(
      raw: rawOptions, output: outputOptions, file: names.file, metadata: metadata,
      embedsRecipe: embedRecipe)
    var source = names.source(reference.name)
    source.frames = inputs.map { ArgumentPath.absolute($0) }
    let plan = try planner.planned(
      source, named: reference.name, SourceInfo(reference.filter, xxh128: ""))
    let targets = try names.targets(reference.name, plan.outputs)
    try OutputNames.requireDistinct(Array(targets.values) + (ghostMap.map { [$0.name] } ?? []))
    if dryRun { return try result.show(plan, targets, of: reference.name) }

    let start = ContinuousClock.now
    let name = ArgumentPath.name(reference.name)
    Terminal.show("\(name): merging frames", nil, since: start)
    let merged = try merge(members, ghostMap: ghostMap)
    var developer = Developer(
      recipe: plan.recipe, workers: threads.count, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lenses.database
    developer.sidecarDescription = plan.resolved.description
    let reports = try developer.develop(
      merged.filter, named: reference.name, to: targets.mapValues(names.destination)
    ) {
      guard case .rendering(let fraction) = $0 else { return }
      Terminal.show("\(name): developing", fraction, since: start)
    }
    Terminal.clearProgress()
    Terminal.notes(merged.report.notes, about: reference.name)
    Terminal.notes(reports, about: reference.name)
    outputOptions.note(reports, to: names.file)
    for report in reports {
      try result.show(
        MergeReport(report, merged.report),
        writing: ghostMap?.name == StandardStreams.output ? StandardStreams.output : report.output,
        report.written.developedLine + Self.summary(merged.report))
    }
  }

  /// The frames at `inputs`; a single file must store several.
  static func frames(_ inputs: [String]) throws -> [BracketMerge.Member] {
    let members = try Developer.openBracket(inputs)
    guard members.count != 1 || members[0].filter.frameCount > 1 else {
      throw ValidationError(
        "\(inputs[0]) is one frame; name two and more, or develop it with rawdev develop")
    }
    return members
  }

  /// Merges `members` and writes the map of ghosts to `ghostMap`.
  func merge(
    _ members: [BracketMerge.Member], ghostMap: OutputDestination?
  ) throws -> BracketMerge.Merged {
    var merge = BracketMerge()
    (merge.alignsFrames, merge.removesGhosts) = (align, deghost)
    if threads.count > 0 { merge.workers = threads.count }
    let merged = try Developer.merged(members, by: merge)
    if let ghostMap, let map = merged.ghostMap {
      try Developer.write(map, to: ghostMap)
    }
    return merged
  }

  /// A line about the frames, after the line about the output.
  static func summary(_ bracket: BracketReport) -> String {
    let stops = bracket.frames.map { String(format: "%+.2f", $0.stops) }.joined(separator: ", ")
    return ", merged of \(bracket.frames.count) frames at \(stops) stops"
  }
}
