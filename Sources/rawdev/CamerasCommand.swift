import ArgumentParser
import RawFilter

/// `rawdev cameras`
struct CamerasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cameras",
    abstract: "Lists the cameras whose raws are decoded.",
    discussion: "Any DNG is, whatever its camera, when its pixels are stored in a known way.")

  @Option(help: "Only names that contain this text, in any case.")
  var matching: String?

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    let all = RAWFilter.supportedCameraModels
    let wanted = matching?.lowercased()
    let models = wanted.map { text in all.filter { $0.lowercased().contains(text) } } ?? all
    if json { return print(try JSON.line(models)) }
    for model in models { print(model) }
  }
}
