import ArgumentParser
import Develop
import Foundation

/// `rawdev extract`
struct ExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extracts the other contents of a raw: previews, profiles, mattes, tables.",
    discussion: """
      Writes NAME-preview.jpg (the JPEG as it is, with an orientation that shows it upright), \
      NAME-matte-KIND.png, \
      NAME-transparency.png and NAME-depth.png (8 or 16 bits as stored, oriented as the developed \
      picture), NAME-gain-table-map.json and .bin, NAME-profile-PROFILE.dcp and NAME-embedded.xmp, \
      as far as the raw has them. Existing files are replaced only with --overwrite. For a \
      raw that has none of them a message is printed and the exit code is 0. Each part that the \
      raw declares but that cannot be read gets a message and exit code 65; the rest is still \
      extracted. For a raw that cannot be decoded the preview is written, with a note. For the \
      gain map of a finished picture use gainmap extract.
      """)

  @Argument(help: "A camera raw or DNG.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "Folder for the files.", completion: .directory)
  var output: String

  @Option(
    help: """
      Comma-separated parts: preview, mattes, depth, gain-table-map, profiles, xmp. (default: all)
      """, transform: parts)
  var only: Set<Extractor.Part>?

  @Flag(help: "Print one JSON object for each file.")
  var json = false

  @OptionGroup var overwriting: OverwriteOptions

  func run() throws {
    let parts = only ?? Set(Extractor.Part.allCases)
    var extractor = Extractor(parts: parts)
    extractor.existing = OverwriteOptions.existing(overwriting.overwrite)
    let report = try extractor.extract(file, to: output) { item in
      if json, let line = try? JSON.line(item) { return print(line) }
      Terminal.printText(Self.summary(item))
    }
    for note in report.notes { Terminal.note(note, about: file) }
    for failure in report.failures { Terminal.failure(Hint.text(failure)) }
    guard report.failures.isEmpty else { throw ExitStatus.badInput }
    if report.items.isEmpty {
      Terminal.note(
        "it holds none of \(only == nil ? "the parts" : "these parts")", about: file)
    }
  }

  private static func summary(_ item: Extractor.Item) -> String {
    var text = "\(item.path): \(item.part.rawValue)"
    if !item.name.isEmpty { text += " \(item.name)" }
    if let width = item.width, let height = item.height { text += ", \(width)x\(height)" }
    return text + ", \(item.bytes) bytes"
  }
}

private func parts(_ text: String) throws -> Set<Extractor.Part> {
  Set(
    try text.split(separator: ",").map {
      guard let part = Extractor.Part(rawValue: $0.trimmingCharacters(in: .whitespaces)) else {
        let all = Extractor.Part.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--only takes \(all), not \"\($0)\"")
      }
      return part
    })
}
