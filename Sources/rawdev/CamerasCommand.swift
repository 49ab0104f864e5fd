import ArgumentParser
import RawFilter

/// `rawdev cameras`
struct CamerasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cameras",
    abstract: "Lists the cameras whose raws are decoded, and where their colors come from.",
    discussion: """
      The cameras that LibRaw lists, and those of rawdev's own table. Each line: name, whether its \
      raws are decoded (yes, or depends: on what), colors, lenses (whether the lens database has \
      the camera and lenses that fit it), and tested (the files of it with which results were \
      compared), separated by tabs. A summary follows on standard error. Any DNG is decoded, \
      whatever its camera, when its pixels are stored in a known way.
      """)

  @Option(help: "Only names that contain this text, in any case.")
  var matching: String?

  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    let all = try RAWFilter.supportedCameras(lensDatabase: lenses.database)
    let wanted = matching?.lowercased()
    let cameras = wanted.map { text in all.filter { $0.name.lowercased().contains(text) } } ?? all
    if json { return print(try JSON.line(cameras)) }
    for camera in cameras {
      let decodes = camera.decodes.rawValue + (camera.reason.map { ": \($0)" } ?? "")
      let lenses = camera.lenses.map { $0 ? "yes" : "no" } ?? "no database"
      print(
        camera.name, "decodes \(decodes)", "colors \(camera.colors)", "lenses \(lenses)",
        "tested \(camera.tested ?? "no")", separator: "\t")
    }
    func count(_ isCounted: (SupportedCamera) -> Bool) -> Int { cameras.count(where: isCounted) }
    func colors(_ kind: String) -> Int { count { $0.colors.hasPrefix(kind) } }
    let (decoded, lenses) = (count { $0.decodes == .yes }, count { $0.lenses == true })
    Terminal.message(
      "\(cameras.count) cameras: \(decoded) decoded, \(cameras.count - decoded) that depends; "
        + "colors by the file \(colors("the file")), LibRaw \(colors("LibRaw")), table "
        + "\(colors("table")), none \(colors("none")); lenses \(lenses); tested "
        + "\(count { $0.tested != nil })")
  }
}
