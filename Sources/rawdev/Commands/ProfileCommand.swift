public import ArgumentParser
public import Develop
import Foundation
import ImageCore

/// `rawdev profile`
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: """
      Makes a camera profile (.dcp) from a raw of a ColorChecker Classic, or a camera's look \
      (.rawlook) from the previews in its raws.
      """,
    discussion: """
      The chart is found in the picture, turned or in perspective. A matrix that preserves white \
      is fitted to the published colors of its 24 patches; printed are their differences, dE00, \
      without the profile, with it, and with one made from the other patches only. A chart that is \
      clipped or lit too unevenly is refused. Use the profile with --camera-profile, or as \
      profilePath in recipes.

      With --from-previews: one smooth mapping of tones and colors, from our standard rendering to \
      the camera's own pictures in these raws, which are of one camera and one picture style. \
      Printed are the mean differences of each picture, dE00, by standard, with the look, and with \
      one made from other pictures. Use the look with --look, or as look or lutPath in recipes. \
      A .cube file, or a camera profile (.dcp) that approximates it, is written where the output \
      has that extension, for other programs.
      """)

  @Argument(
    help: """
      A camera raw or DNG that shows the chart; with --from-previews raws, or folders of them.
      """, completion: .file())
  var files: [String]

  @Flag(help: "Make the camera's look from the previews in the raws.")
  var fromPreviews = false

  @Option(help: "With --from-previews: the camera's picture style, as you call it.")
  var style: String?

  @Option(name: [.short, .long], help: "The profile or look to write.", completion: .file())
  var output: String

  @Option(help: "When the chart was made: since November 2014, or before.")
  var chart = ProfileTool.Chart.after2014

  @Option(
    help: """
      Centers of the patches dark skin, bluish green, black and white in pixels of the upright \
      picture: x,y,x,y,x,y,x,y. Without it the chart is searched for.
      """, transform: PropertyOption.numbers)
  var chartCorners: [Double]?

  @Option(
    help: """
      CIE x,y of the illuminant. Without it, the white that the file's own colors give for the \
      neutral patches, otherwise D50.
      """, transform: PropertyOption.numbers)
  var illuminant: [Double]?

  @Option(help: "Name of the profile or look.")
  var name: String?

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var result: ResultOptions

  func validate() throws {
    if fromPreviews {
      guard chartCorners == nil, illuminant == nil, chart == .after2014 else {
        throw ValidationError("--from-previews needs no chart: leave out what describes one")
      }
    } else {
      guard style == nil else { throw ValidationError("--style needs --from-previews") }
      guard files.count == 1 else {
        throw ValidationError("a profile needs one raw; several need --from-previews")
      }
    }
    if let chartCorners, chartCorners.count != 8 {
      throw ValidationError("--chart-corners takes eight comma-separated numbers")
    }
    if let illuminant {
      guard illuminant.count == 2, illuminant.allSatisfy({ (0.05...0.9).contains($0) }),
        illuminant[0] + illuminant[1] < 1
      else { throw ValidationError("--illuminant takes the x and y of an illuminant, 0.05 to 0.9") }
    }
  }

  func run() throws {
    if fromPreviews { return try makeLook() }
    let file = try StandardStreams.inputs(files)[0]
    let output = try overwriting.file(output, of: [file])
    var tool = ProfileTool()
    tool.chart = chart
    tool.corners = chartCorners.map { numbers in
      (0..<4).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
    }
    tool.illuminant = illuminant.map { Chromaticity(x: $0[0], y: $0[1]) }
    tool.name = name
    let report = try tool.make(file, to: output)
    try result.show(report, writing: report.output, rows: report.lines)
  }

  private func makeLook() throws {
    let start = ContinuousClock.now
    let raws = try RawInputs(try StandardStreams.inputs(files), recursive: false).files
    var tool = LookTool()
    tool.format =
      output.split(separator: ".").last.flatMap { LookTool.Format(rawValue: $0.lowercased()) }
      ?? .rawlook
    (tool.name, tool.style) = (name, style)
    var number = 0
    let report = try tool.make(raws, to: try overwriting.file(output, of: raws)) { input in
      Terminal.show(
        "\(number + 1)/\(raws.count)  \(ArgumentPath.name(input)): reading",
        Double(number) / Double(raws.count), since: start)
      number += 1
    }
    Terminal.clearProgress()
    try result.show(report, writing: report.output, rows: report.lines)
  }
}

extension ProfileTool.Chart: ExpressibleByArgument {}
