import ArgumentParser
import Develop
import Foundation
import ImageCore
import Logging
import Recipes

/// `rawdev develop`
struct DevelopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops raws into HDR or SDR stills.",
    discussion: """
      Without -o each picture is written beside its raw, with the extension of its format. With \
      several raws, -o names a folder. A file that fails costs itself and one message; the others \
      are developed. Outputs appear under their names only when they are complete.
      """)

  @Argument(help: "Camera raws, DNGs.", completion: .file())
  var inputs: [String]

  @Option(name: [.short, .long], help: "File, or folder for several raws.", completion: .file())
  var output: String?

  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Light") var lightOptions: LightOptions
  @OptionGroup(title: "Development") var rawOptions: RAWOptions

  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  @Option(name: .customLong("lensfun-db"), help: lensDatabaseHelp, completion: .directory)
  var lensDatabase: String?

  @Flag(help: "Print one JSON object for each file on standard output.")
  var json = false

  @Flag(name: [.short, .long], help: "Say more on standard error.")
  var verbose = false

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads takes 1 or more") }
  }

  func run() throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var log = Logger(label: "rawdev")
    log.logLevel = verbose ? .debug : .warning

    var recipe = Recipe(try outputOptions.settings(output: output, light: lightOptions.light))
    rawOptions.apply(to: &recipe)
    do { try recipe.validate() } catch { throw ValidationError("\(error)") }
    var developer = Developer(
      recipe: recipe, workers: threads ?? 0, colorMatrix: rawOptions.colorMatrix)
    developer.lensDatabasePath = lensDatabase
    let targets = try OutputNames(
      inputs: inputs, output: output, pathExtension: recipe.output.format.pathExtension)

    var failures: [ExitStatus] = []
    for (input, target) in targets.pairs {
      let start = ContinuousClock.now
      let name = URL(fileURLWithPath: input).lastPathComponent
      do {
        let report = try developer.develop(input, to: target) {
          Terminal.show($0, of: name, since: start)
        }
        Terminal.clearProgress()
        for warning in report.warnings { Terminal.message("\(input): note: \(warning)") }
        print(json ? try JSON.line(report) : Self.summary(report))
        log.debug("developed", metadata: ["input": "\(input)", "seconds": "\(report.seconds)"])
      } catch let error as DevelopError {
        Terminal.clearProgress()
        Terminal.message("rawdev: \(error)")
        if json { print(try JSON.line(Failure(input: input, error: error))) }
        failures.append(ExitStatus(error))
      }
    }
    guard let first = failures.first else { return }
    if inputs.count == 1 { throw first }
    throw failures.count == inputs.count ? ExitStatus.allFailed : ExitStatus.someFailed
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
