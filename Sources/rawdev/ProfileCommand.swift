public import ArgumentParser
public import Develop
import Foundation
import ImageCore

/// `rawdev profile`
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Makes a camera profile (.dcp) from a raw of a ColorChecker Classic.",
    discussion: """
      The chart is found in the picture, turned or in perspective. A matrix that keeps white is \
      fitted to the published colors of its 24 patches; printed are their differences, dE00, \
      without the profile, with it, and with one made of the other patches alone. A chart that is \
      clipped or lit too unevenly is refused. Use the profile with --camera-profile, or as \
      profilePath in recipes.
      """)

  @Argument(help: "A camera raw or DNG that shows the chart.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The profile to write.", completion: .file())
  var output: String

  @Option(help: "When the chart was made: since November 2014, or before.")
  var chart = ProfileTool.Chart.after2014

  @Option(
    help: """
      Centers of the patches dark skin, bluish green, black and white in pixels of the upright \
      picture: x,y,x,y,x,y,x,y. Without it the chart is looked for.
      """, transform: PropertyOption.numbers)
  var chartCorners: [Double]?

  @Option(
    help: """
      CIE x,y of the light on the chart. Without it, what the file's own colors make of its \
      neutral patches, else D50.
      """, transform: PropertyOption.numbers)
  var illuminant: [Double]?

  @Option(help: "Name of the profile.")
  var name: String?

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var result: ResultOptions

  func validate() throws {
    if let chartCorners, chartCorners.count != 8 {
      throw ValidationError("--chart-corners takes eight comma-separated numbers")
    }
    if let illuminant {
      guard illuminant.count == 2, illuminant.allSatisfy({ (0.05...0.9).contains($0) }),
        illuminant[0] + illuminant[1] < 1
      else { throw ValidationError("--illuminant takes the x and y of a light, 0.05 to 0.9") }
    }
  }

  func run() throws {
    let file = try StandardStreams.inputs([file])[0]
    let output = try overwriting.file(output, of: [file])
    var tool = ProfileTool()
    tool.chart = chart
    tool.corners = chartCorners.map { numbers in
      (0..<4).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
    }
    tool.illuminant = illuminant.map { Chromaticity(x: $0[0], y: $0[1]) }
    tool.name = name
    let report = try tool.make(file, to: output)
    if result.json {
      return Terminal.resultJSON(try JSON.line(report), writing: report.output)
    }
    guard !result.terminal.quiet else { return }
    for (name, value) in report.lines { Terminal.printRow(name, value) }
  }
}

extension ProfileTool.Chart: ExpressibleByArgument {}
