public import ArgumentParser
public import Develop
import Formats
import Foundation
import HDRRender
import ImageCore
import ImageFilters
import Readers
import Recipes
import SystemPackage

extension Composer.Layout: ExpressibleByArgument {}

/// `rawdev compose`
struct ComposeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Composes several finished pictures into one, in linear values.",
    discussion: """
      Without --format the output's extension and the sources decide: one HDR picture \
      makes the result HDR, HLG takes precedence over PQ, PQ with HDR metadata over PQ without. \
      SDR gets its white at 203 cd/m² in an HDR picture. A grid gets the metadata that all of its \
      pictures have in common; stacked pictures get the metadata of the lowest.
      """)

  @Argument(
    help: "HEIF, AVIF, JPEG, PNG, TIFF, JPEG XL, WebP, OpenEXR, Radiance; the first is the lowest.",
    completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long], help: "The file to write; - for standard output.", completion: .file())
  var output: String

  @Option(help: "Side by side on black, or each over the one before.")
  var layout = Composer.Layout.grid

  @Option(help: "Pictures in a row of a grid. (default: all of them)")
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      "Cell of a grid; larger pictures are reduced to it. (default: the largest)",
      valueName: "width,height"))
  var cell: NumberList?

  @Option(help: "Pixels between the cells.")
  var gap = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the upper pictures lie on the first.", valueName: "x,y"))
  var at: NumberList?

  @Option(help: "Opacity of the upper pictures, 0 to 1.")
  var opacity = 1.0

  @OptionGroup(title: "Edits of each picture") var frame: FrameOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "HDR metadata", visibility: HelpLevel.rest)
  var metadataOptions: HDRMetadataOptions

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions

  @OptionGroup var result: ResultOptions

  func validate() throws {
    guard (0...1).contains(opacity) else { throw ValidationError("--opacity takes 0 to 1") }
    _ = try metadataOptions.metadata
    _ = try cell?.pixelSize("--cell")
    _ = try position
  }

  func run() throws {
    let inputs = try StandardStreams.inputs(inputs)
    let sources = try inputs.map { try StillImage(contentsOf: URL(fileURLWithPath: $0)) }
    let settings = try outputOptions.settings(
      output: output, metadata: metadataOptions.metadata,
      keeping: DynamicRangeMix.result(of: sources.map(\.dynamicRange)))
    let target = try overwriting.file(output, of: inputs)
    var composer = Composer(output: settings, workers: threads.count)
    composer.layout = layout
    composer.columns = columns
    composer.cell = try cell?.pixelSize("--cell")
    composer.gap = gap
    composer.offset = try position ?? composer.offset
    composer.opacity = opacity
    composer.edits = try (frame.crop.map { [CropFilter($0)] } ?? []) + frame.rotation
    let start = ContinuousClock.now
    let name = ArgumentPath.name(target.name)
    let report = try composer.compose(inputs, to: target) {
      Terminal.show("\(name): composing", $0, since: start)
    }
    Terminal.clearProgress()
    try result.show(report)
  }

  private var position: PixelPoint? {
    get throws {
      guard let at else { return nil }
      guard let numbers = at.integers(2) else {
        throw ValidationError("--at takes two integers with a comma between them")
      }
      return PixelPoint(x: numbers[0], y: numbers[1])
    }
  }
}
