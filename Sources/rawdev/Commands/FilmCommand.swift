import ArgumentParser
import Batch
import Develop
import Film
import Formats
import Foundation
import ImageCore
import RawFilter
import Recipes
import SystemPackage

/// `rawdev film`
struct FilmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "film",
    abstract: "Makes a film of raws, pictures and movies.",
    discussion: """
      A folder of raws (a time-lapse, a CinemaDNG clip), finished pictures, and movies become one \
      film, in HDR if any of them is; the extension of -o decides on the kind of file. Tone, \
      white and noise reduction are the same for all raws of a clip. Raws with a sidecar are key \
      frames: their numbers run smoothly from one to the next. The film appears under its name \
      only when it is complete and was checked. A run that is interrupted goes on where it ended, \
      by the same command. Films are coded by ffmpeg, which has to be installed; \
      --encoders shows what it can do here. See Docs/film.md.
      """)

  @Argument(help: "Raws, pictures, movies, folders of raws or pictures.", completion: .file())
  var inputs: [String] = []

  @Option(name: [.short, .long], help: "The film: .mov or .mp4.", completion: .file())
  var output: String?

  @Option(help: "List of raws as JSON lines, see rawdev manifest.", completion: .file())
  var manifest: String?

  @OptionGroup(title: "Film") var coding: FilmCodingOptions
  @OptionGroup(title: "Recipes") var recipes: RecipeOptions
  @OptionGroup(title: "HDR metadata", visibility: HelpLevel.rest)
  var metadataOptions: HDRMetadataOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @Flag(help: "Print what the film would be, without making it.")
  var dryRun = false

  @Flag(help: "List the codecs, and which of them can be used here.")
  var encoders = false

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions
  @OptionGroup var result: ResultOptions

  func validate() throws {
    guard !encoders else { return }
    guard output != nil else {
      throw ValidationError("-o is missing; name the film, as out.mov or out.mp4")
    }
    guard inputs.isEmpty != (manifest == nil) else {
      throw ValidationError("give raws, pictures, movies and folders, or --manifest")
    }
  }

  func run() throws {
    if encoders { return try listEncoders() }
    let (inputs, output) = (try files(), output ?? "")
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    guard let container = FilmContainer(rawValue: ending) else {
      throw ValidationError("-o \(output): a film is named .mov or .mp4")
    }
    let session = try FilmSession(inputs, container: container, options: try options())
    if dryRun { return try show(try session.plan(), output) }
    let target = try overwriting.file(output, of: inputs)
    let cancellation = Cancellation()
    Interruption.hand { cancellation.cancel() }
    let start = ContinuousClock.now
    let report: FilmReport
    do {
      report = try cancellation.run {
        try session.export(to: target) { Self.show($0, output, since: start) }
      }
    } catch  where cancellation.isCancelled {
      Terminal.clearProgress()
      Terminal.failure("interrupted; the same command goes on with the segments that are done")
      throw ExitStatus.interrupted
    }
    Terminal.clearProgress()
    Terminal.notes(report.warnings, about: output)
    for frame in report.badFrames { Terminal.failure("\(frame.path): \(frame.message)") }
    try result.show(report, writing: output, Self.line(report, output))
    if !report.badFrames.isEmpty { throw ExitStatus.someFailed }
  }

  private func files() throws -> [String] {
    guard let manifest else { return inputs }
    return try Manifest.sources(
      at: ArgumentPath.path(manifest), workingFolder: ArgumentPath.workingFolder
    ).map(\.path.string)
  }

  private func options() throws -> FilmOptions {
    var options = try coding.options()
    options.metadata = try metadataOptions.metadata.only([.contentLight, .masteringDisplay])
    options.resolver = try recipes.resolver(raw: rawOptions.values)
    options.colorMatrix = rawOptions.colorMatrix
    options.lensDatabasePath = lenses.database
    options.workers = threads.count
    // Finished pictures have no recipe, but the crop of the command line is for all.
    let layers = [
      RecipeLayer(
        .commandLine, "command line",
        values: try recipes.values(
          raw: rawOptions.values.filter { ["crop", "cropAspect"].contains($0.key) }))
    ]
    options.frame = try Recipe(LayeredRecipe(layers)).raw.frame
    return options
  }

  private static func show(
    _ progress: FilmSession.Progress, _ output: String, since start: ContinuousClock.Instant
  ) {
    let name = ArgumentPath.name(output)
    switch progress {
    case .measuring(let fraction): Terminal.show("\(name): measuring", fraction, since: start)
    case .frames(let done, let total):
      Terminal.show(
        "\(done)/\(total)  \(name)", Double(done) / Double(max(total, 1)), since: start)
    case .joining: Terminal.show("\(name): joining", nil, since: start)
    }
  }

  private static func line(_ report: FilmReport, _ output: String) -> String {
    var text = "\(output): \(report.width)x\(report.height) \(report.coding), "
    text += "\(report.frames) frames at \(report.rate) per second"
    if let most = report.maxCLL, let mean = report.maxFALL {
      text += ", MaxCLL \(most) MaxFALL \(mean) cd/m2"
    }
    if report.resumedFrames > 0 { text += ", \(report.resumedFrames) of an earlier run" }
    return text + ", \(report.bytes) bytes, " + String(format: "%.2f s", report.seconds)
  }

  private func show(_ plan: FilmDescription, _ output: String) throws {
    Terminal.notes(plan.warnings, about: output)
    let clips = plan.clips.map { clip in
      clip.kind == "movie" || clip.first == clip.last
        ? "\(clip.frames) of \(clip.first)" : "\(clip.frames) of \(clip.first) to \(clip.last)"
    }
    try result.show(
      plan, writing: "",
      "\(clips.joined(separator: ", ")) -> \(output): \(plan.width)x\(plan.height) \(plan.coding), "
        + "\(plan.frames) frames at \(plan.rate) per second, "
        + String(format: "%.2f s", plan.seconds)
        + (plan.timecode.map { ", from \($0)" } ?? ""))
  }

  private struct Encoder: Encodable {
    var codec: String
    var isAvailable: Bool
    var summary: String
  }

  private func listEncoders() throws {
    let tools: FilmTools
    do { tools = try FilmTools() } catch {
      for codec in FilmCodec.allCases { Terminal.printRow(codec.rawValue, codec.summary) }
      throw error
    }
    let list = FilmCodec.allCases.map {
      Encoder(codec: $0.rawValue, isAvailable: tools.has($0), summary: $0.summary)
    }
    if result.json { return print(try JSON.line(list)) }
    Terminal.printText(tools.version)
    for encoder in list {
      Terminal.printRow(
        encoder.codec,
        encoder.summary + (encoder.isAvailable ? "" : "; missing in this ffmpeg, Debian's has it"))
    }
  }
}
