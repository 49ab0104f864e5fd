import ArgumentParser
import Develop
import Formats

/// `rawdev thumbnail`
struct ThumbnailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail",
    abstract: "Writes a small SDR picture of a raw or a finished picture, for file managers.",
    discussion: """
      An 8-bit PNG in sRGB, upright. Of a raw it shows the preview that the camera stored in it; a \
      raw without one is developed. A raw that cannot be decoded gives its preview, with a note.
      """)

  @Argument(help: "A raw or a finished picture.", completion: .file())
  var input: String

  @Argument(help: "The PNG to write.", completion: .file())
  var output: String

  @Option(
    help: """
      Pixels of the longer side, \(Thumbnailer.sides.text); smaller pictures are not enlarged.
      """)
  var size = 256

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions
  @OptionGroup var result: ResultOptions

  func validate() throws {
    guard Thumbnailer.sides.contains(size) else {
      throw ValidationError("--size takes \(Thumbnailer.sides.text)")
    }
  }

  func run() throws {
    let input = try StandardStreams.inputs([input])[0]
    let target = try overwriting.file(output, of: [input])
    let thumbnailer = Thumbnailer(maxPixelSize: size, workers: threads.count)
    try result.show(try thumbnailer.write(input, to: target))
  }
}
