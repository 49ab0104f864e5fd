import ArgumentParser
import RawFilter

/// `rawdev cameras`
struct CamerasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cameras",
    abstract: "Lists the cameras whose raws are decoded, and the origin of their colors.",
    discussion: """
      The cameras in LibRaw's list and in rawdev's own table. Each line: name, whether its \
      raws are decoded (yes, or depends: on what), colors, lenses (whether the lens database has \
      the camera and lenses that fit it), and tested (the files of it with which results were \
      compared), separated by tabs. A summary follows on standard error. Any DNG is decoded, \
      of any camera, when the storage of its pixels is supported.
      """)

  @Option(help: "Only names that contain this text, in any case.")
  var matching: String?

  @OptionGroup(visibility: HelpLevel.rest) var lenses: LensOptions

  @Flag(help: "Print a JSON array.")
  var json = false

  @Flag(help: "Count cameras by the year of their announcement, from 2019 on, instead.")
  var summary = false

  func run() throws {
    let all = try RAWFilter.supportedCameras(lensDatabase: lenses.database)
    let wanted = matching?.lowercased()
    let cameras = wanted.map { text in all.filter { $0.name.lowercased().contains(text) } } ?? all
    if summary {
      let years = Self.years(of: cameras)
      return json ? print(try JSON.line(years)) : years.forEach { print($0.line) }
    }
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

extension CamerasCommand {
  /// How many cameras of a year are decoded, and whose colors they have.
  private struct Year: Encodable {
    /// nil for cameras without a year in the table.
    var year: Int?
    var cameras = 0
    /// In every storage that they record.
    var decoded = 0
    /// In some storages, or untried.
    var partlyDecoded = 0
    /// By the file, LibRaw or the table.
    var ownColors = 0
    /// With a relative's, and a warning, or with none.
    var borrowedColors = 0

    /// The counts for people, separated by tabs.
    var line: String {
      [
        year.map(String.init) ?? "earlier", "\(cameras) cameras", "decodes \(decoded)",
        "depends \(partlyDecoded)", "own colors \(ownColors)", "borrowed \(borrowedColors)",
      ].joined(separator: "\t")
    }
  }

  /// Years in order, at the end the cameras without one.
  private static func years(of cameras: [SupportedCamera]) -> [Year] {
    var years: [Int?: Year] = [:]
    for camera in cameras {
      var year = years[camera.year] ?? Year(year: camera.year)
      year.cameras += 1
      camera.decodes == .yes ? (year.decoded += 1) : (year.partlyDecoded += 1)
      camera.colors == "none" ? (year.borrowedColors += 1) : (year.ownColors += 1)
      years[camera.year] = year
    }
    return years.values.sorted { ($0.year ?? .max) < ($1.year ?? .max) }
  }
}
