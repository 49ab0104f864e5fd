import ArgumentParser
import Develop
import Foundation
import Recipes

/// `rawdev dng`
struct DNGCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dng",
    abstract: "Writes raws as DNG, every sample as it is stored.",
    discussion: """
      Any supported raw becomes a DNG 1.4, borders, levels, colors, opcodes, Exif, maker \
      note and preview included. Nothing is developed. The DNG names its source and the source's \
      MD5 in its XMP (xmpMM:DerivedFrom), and is read again and compared, sample by sample, \
      before it appears under its name. Without -o it is written \
      next to the raw. DNGs that were already made so of the same raws are left unchanged, so \
      that an interrupted run continues; --overwrite writes them again. A file that fails is \
      named; the others are written.

      --linear writes three values a pixel instead of the mosaic, demosaiced as in development, \
      and --scene the same without noise and errors of the lens; both in the camera's own colors, \
      with tags for the same processing as in the source.
      """)

  @Argument(help: "Camera raws, DNGs, folders of them; - for standard input.", completion: .file())
  var inputs: [String]

  @Option(
    name: [.short, .long], help: "File, or folder for several raws; - for standard output.",
    completion: .file())
  var output: String?

  @Flag(help: "Demosaic, without correcting noise or the lens.")
  var linear = false

  @Flag(help: "Demosaic, reduce noise, correct the lens.")
  var scene = false

  @Option(
    help: ArgumentHelp("Frame of raws that store several: 1 to 128.", valueName: "number"))
  var frame: Int?

  @Option(help: "Linear values: integers up to white, half or single precision.")
  var bits = DNGConverter.Bits.half

  @Option(
    help: "How samples are stored. deflate is only for floating point; jpeg-xl makes a DNG 1.7.")
  var compression = DNGConverter.Compression.losslessJPEG

  @Option(help: "Loss of jpeg-xl, in just noticeable differences, 0…15; 0 loses nothing.")
  var distance: Float = 0

  @Option(help: "Effort of jpeg-xl, 1…9.")
  var effort = DNGConverter().effort

  @Option(help: "Previews that the DNG holds.")
  var preview = DNGConverter.Preview.full

  @Flag(
    inversion: .prefixedNo,
    help: "Read the written file again, and compare every sample before it gets its name.")
  var verify = true

  @Flag(help: "Search subfolders, too.")
  var recursive = false

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup var result: ResultOptions

  func validate() throws {
    if linear && scene { throw ValidationError("--scene includes --linear; give one of them") }
  }

  func run() throws {
    let raws = try RawInputs(try StandardStreams.inputs(inputs), recursive: recursive)
    let names = try OutputNames(
      inputs: raws.files, output: output, isFolder: raws.hasFolders,
      overwrites: overwriting.overwrite)
    var converter = DNGConverter(workers: threads.count)
    (converter.compression, converter.preview) = (compression, preview)
    (converter.distance, converter.effort) = (distance, effort)
    converter.samples = scene ? .scene : linear ? .linear : .stored
    (converter.bits, converter.frame) = (bits, frame)
    converter.verifies = verify
    // One named raw is always converted; an interrupted folder continues.
    let isPlain = converter.compression == .losslessJPEG && preview == .full
    converter.keepsUpToDate = !overwriting.overwrite && (raws.files.count > 1 || isPlain)
    try InputLoop(raws).run { turn in
      let target = try names.target(turn.input, extension: "dng")
      let report = try converter.convert(turn.input, to: names.destination(target)) {
        turn.show("writing", $0)
      }
      Terminal.clearProgress()
      Terminal.notes(report.warnings, advising: report.remedies ?? [], about: turn.input)
      try result.show(report, writing: report.output, Self.summary(report))
    }
  }

  private static func summary(_ report: DNGConverter.Report) -> String {
    if report.wasUpToDate { return "\(report.output): is up to date" }
    let percentage = String(format: "%.0f", 100 * Double(report.bytes) / Double(report.inputBytes))
    let time = String(format: "%.2f", report.seconds)
    return "\(report.output): \(report.width)x\(report.height) DNG "
      + "(\(report.compression.rawValue)), \(report.bytes) bytes, \(percentage) % of the source, "
      + "\(report.isVerified ? "verified" : "not verified"), \(time) s"
  }
}
