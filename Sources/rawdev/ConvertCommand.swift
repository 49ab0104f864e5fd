public import ArgumentParser
public import Develop
import Foundation

extension Converter.GainMapPolicy: ExpressibleByArgument {}

/// `rawdev convert`
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a finished picture to another kind, its range kept where that can hold it.",
    discussion: """
      Gain maps are applied, PQ and HLG are decoded; outputs of standard range are tone-mapped. For \
      camera raws there is develop.
      """)

  @Argument(help: "A HEIF, AVIF, JPEG, PNG, TIFF or JPEG XL.", completion: .file())
  var input: String

  @Argument(help: "The file to write.", completion: .file())
  var output: String

  @Option(
    help: "Display headroom to convert for, 1 and more. (default: all that the picture holds)")
  var headroom: Double?

  @Option(help: "What becomes of a gain map where the output holds one.")
  var gainMap: Converter.GainMapPolicy = .keep

  @OptionGroup(title: "Output") var outputOptions: OutputOptions

  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads takes 1 or more") }
    if let headroom, !(headroom >= 1) { throw ValidationError("--headroom takes 1 and more") }
  }

  func run() throws {
    let settings = try outputOptions.settings(output: output)
    _ = try OutputNames(
      inputs: [input], output: output, pathExtension: settings.format.pathExtension)
    let converter = Converter(
      output: settings, headroom: headroom, gainMap: gainMap, workers: threads ?? 0)
    do {
      let report = try converter.convert(input, to: output)
      for warning in report.warnings { Terminal.message("\(input): note: \(warning)") }
      let headroom = String(format: "%.2f", report.contentHeadroom)
      print(
        json
          ? try JSON.line(report)
          : "\(report.output): \(report.width)x\(report.height) \(report.format), headroom "
            + "\(headroom), \(report.bytes) bytes")
    } catch let error as DevelopError {
      Terminal.message("rawdev: \(error)")
      throw ExitStatus(error)
    }
  }
}
