public import ArgumentParser
public import Develop
public import HDRRender
import Readers
import Recipes

extension Converter.GainMapPolicy: ExpressibleByArgument {}
extension DisplayRendering.DynamicRange: ExpressibleByArgument {}

/// `rawdev convert`
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a finished picture to another format, with its dynamic range if possible.",
    discussion: """
      Gain maps are applied, PQ and HLG are decoded; SDR outputs are tone-mapped. \
      Without --format the output's extension and the range of the source decide: HLG stays HLG, \
      PQ stays PQ, SDR stays SDR in its color space, gain maps stay where the kind of file has \
      them. For camera raws use develop.
      """)

  @Argument(
    help: "HEIF, AVIF, JPEG, PNG, TIFF, JPEG XL, WebP, OpenEXR, Radiance; - for standard input.",
    completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long],
    help: """
      File, or folder for several pictures; - for standard output. (default: the last argument)
      """, completion: .file())
  var output: String?

  @Option(
    help: "Display headroom to convert for, 1 or more. (default: the headroom of the picture)")
  var headroom: Double?

  @Option(
    help: """
      How the picture is shown to that display: tone-mapped to all of its headroom, to a part, to \
      reference white, cut off at its headroom, or as Reference Mode does.
      """)
  var range = DisplayRendering.DynamicRange.high

  @Option(help: "What to do with a gain map where the output can hold one.")
  var gainMap: Converter.GainMapPolicy = .keep

  @Flag(help: "Read a damaged or truncated picture as far as possible, with a note.")
  var allowDamaged = false

  @OptionGroup(title: "Edits, in this order, then --max-size") var editOptions: EditOptions
  @OptionGroup(title: "Output") var outputOptions: OutputOptions
  @OptionGroup(title: "HDR metadata", visibility: HelpLevel.rest)
  var metadataOptions: HDRMetadataOptions

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup(title: "Isolation", visibility: HelpLevel.rest) var isolation: IsolationOptions

  @OptionGroup var result: ResultOptions

  func validate() throws {
    guard output != nil || inputs.count == 2 else {
      throw ValidationError(
        "-o is missing; name the file to write, or a folder for several pictures")
    }
    if let headroom, !(headroom >= 1) { throw ValidationError("--headroom takes 1 or more") }
    _ = try editOptions.filters
    _ = try metadataOptions.metadata
  }

  func run() throws {
    let inputs = try StandardStreams.inputs(output == nil ? [inputs[0]] : inputs)
    let names = try OutputNames(
      inputs: inputs, output: output ?? self.inputs[1], overwrites: overwriting.overwrite)
    try InputLoop(inputs).run { turn in
      let picture = try isolation.openPicture(turn.input, policy: allowDamaged ? .show : .whole)
      let info = picture.info
      let settings = try outputOptions.settings(
        output: names.file, metadata: metadataOptions.metadata,
        keeping: gainMap == .drop ? info.baseDynamicRange : info.dynamicRange,
        hasGainMap: info.hasGainMap && gainMap != .drop,
        colorSpace: info.colorSpace)
      let target = names.destination(try names.target(turn.input, settings.format))
      var converter = Converter(
        output: settings, headroom: headroom, gainMap: gainMap, workers: threads.count)
      converter.range = range
      let report = try picture.convert((converter, editOptions), target) {
        turn.show("converting", $0)
      }
      Terminal.clearProgress()
      try result.show(report)
      if info.dynamicRange == .sdr, info.colorSpace == nil, settings.keepsColorSpace,
        !outputOptions.hasColorSpace
      {
        Terminal.note(
          "its color space cannot be written; the output is in \(settings.colorSpace.rawValue) "
            + "now, where stronger colors are clipped; --color-space takes another",
          about: report.output)
      }
      let plain = settings.format.withoutGainMap(.standard)
      if outputOptions.hasFormat, settings.format.transfer != .standard, plain != settings.format,
        info.dynamicRange.transfer == .standard, !info.hasGainMap
      {
        Terminal.note(
          "the picture is SDR, and \(settings.format.rawValue) is HDR; --format \(plain.rawValue) "
            + "keeps it SDR", about: report.output)
      }
    }
  }
}

extension ResultOptions {
  /// The written file, and warnings about it.
  func show(_ report: PictureReport) throws {
    let inputs = report.inputs.joined(separator: ", ")
    Terminal.notes(report.warnings, advising: report.remedies ?? [], about: inputs)
    try show(
      report, writing: report.output,
      report.written.convertedLine)
  }
}
