public import ArgumentParser
public import Develop
import Foundation
public import HDRRender
import Readers
import Recipes
import SystemPackage

extension Converter.GainMapPolicy: ExpressibleByArgument {}
extension DisplayRendering.DynamicRange: ExpressibleByArgument {}

/// `rawdev convert`
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a finished picture to another kind, its range kept where that can hold it.",
    discussion: """
      Gain maps are applied, PQ and HLG are decoded; outputs of standard range are tone-mapped. \
      Without --format the output's extension and the range of the source decide: HLG stays HLG, PQ \
      stays PQ, standard range stays standard range, gain maps stay where the kind of file has them. \
      For camera raws there is develop.
      """)

  @Argument(help: "A HEIF, AVIF, JPEG, PNG, TIFF or JPEG XL.", completion: .file())
  var input: String

  @Argument(help: "The file to write.", completion: .file())
  var output: String

  @Option(
    help: "Display headroom to convert for, 1 and more. (default: all that the picture holds)")
  var headroom: Double?

  @Option(
    help: """
      How the picture is shown to that display: tone-mapped to all of its headroom, to a part, to \
      reference white, cut off at its headroom, or as Reference Mode does.
      """)
  var range = DisplayRendering.DynamicRange.high

  @Option(help: "What becomes of a gain map where the output holds one.")
  var gainMap: Converter.GainMapPolicy = .keep

  @OptionGroup(title: "Edits, in this order") var editOptions: EditOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "Light") var lightOptions: HDRMetadataOptions

  @Option(help: "Threads. (default: one for each core)")
  var threads: Int?

  @Flag(help: "Print one JSON object on standard output.")
  var json = false

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads takes 1 or more") }
    if let headroom, !(headroom >= 1) { throw ValidationError("--headroom takes 1 and more") }
    _ = try editOptions.edits
    _ = try lightOptions.light
  }

  func run() throws {
    try DevelopError.reported {
      let source = try StillImage(contentsOf: URL(fileURLWithPath: input))
      let settings = try outputOptions.settings(
        output: output, light: lightOptions.light, keeping: source.dynamicRange,
        hasGainMap: source.gainMap != nil)
      _ = try OutputNames(inputs: [input], output: output)
        .targets(input, [Recipe.onlyOutput: FilePath(output)])
      var converter = Converter(
        output: settings, headroom: headroom, gainMap: gainMap, workers: threads ?? 0)
      converter.range = range
      converter.edits = try editOptions.edits
      try Terminal.show(try converter.convert(input, to: output), asJSON: json)
    }
  }
}

extension DevelopError {
  /// Runs `body`; a failure of a picture is said on standard error and decides the exit code.
  static func reported(_ body: () throws -> Void) throws {
    do { try body() } catch let error as DevelopError {
      Terminal.message("rawdev: \(error)")
      throw ExitStatus(error)
    } catch let error as ReadError {
      Terminal.message("rawdev: \(error)")
      throw ExitStatus(.read(error))
    }
  }
}

extension Terminal {
  /// What was written, in a line for people or for programs.
  static func show(_ report: PictureReport, asJSON: Bool) throws {
    let inputs = report.inputs.joined(separator: ", ")
    for warning in report.warnings { message("\(inputs): note: \(warning)") }
    let headroom = String(format: "%.2f", report.contentHeadroom)
    print(
      asJSON
        ? try JSON.line(report)
        : "\(report.output): \(report.width)x\(report.height) \(report.format), headroom "
          + "\(headroom), \(report.bytes) bytes")
  }
}
