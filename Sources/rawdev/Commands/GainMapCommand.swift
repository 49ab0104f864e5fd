import ArgumentParser
import Develop
import Formats
import Foundation
import ImageCore
import Readers

/// `rawdev gainmap`
struct GainMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gainmap",
    abstract: "Extracts, replaces, removes and checks gain maps.",
    discussion: """
      The picture itself is not encoded again: its bytes stay as they are, and so do Exif, XMP, \
      profiles and thumbnails, except for their metadata of the map. With --overwrite the edited \
      picture may replace the input; it appears only when it is complete.
      """,
    subcommands: [
      GainMapExtractCommand.self, GainMapReplaceCommand.self, GainMapDiscardCommand.self,
      GainMapRemoveCommand.self, GainMapCheckCommand.self,
    ])
}

/// `rawdev gainmap extract`
struct GainMapExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Writes the gain map as a picture, and its metadata as JSON.",
    discussion: """
      The samples are as stored in the file, in the stored orientation, not upright. \
      A .png has 8 bits, or 16 for maps of more; from a JPEG a .jpg takes the coded map byte for \
      byte.
      """)

  @Argument(help: "A JPEG, HEIC, AVIF or JPEG XL.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The map: a .png, or a .jpg.", completion: .file())
  var output: String

  @Option(help: "Metadata of the map, as JSON for replace.", completion: .file())
  var metadata: String?

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var result: ResultOptions

  func run() throws {
    let file = try StandardStreams.inputs([file])[0]
    let output = try overwriting.file(output, of: [file])
    let metadata = try metadata.map { try overwriting.file($0, of: [file]) }
    try OutputNames.requireDistinct([output.name] + (metadata.map { [$0.name] } ?? []))
    let map = try GainMapTool(file).extract(to: output, metadata: metadata)
    let layout = map.description
    let forms = map.statements.formats.map(\.rawValue).joined(separator: ", ")
    let headroom = String(format: "%.2f", map.headroom)
    try result.show(
      map, writing: metadata?.name == StandardStreams.output ? StandardStreams.output : map.output,
      "\(map.output): gain map \(layout.width)x\(layout.height) \(layout.pixelFormat.rawValue), "
        + "\(forms), headroom \(headroom), \(map.bytes) bytes")
  }
}

/// `rawdev gainmap replace`
struct GainMapReplaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace", abstract: "Replaces the gain map of a JPEG, HEIC or AVIF.",
    discussion: """
      Without --metadata the file keeps the metadata of its map; a file without a map needs it. \
      The map is oriented as the picture is stored, as extract writes it. A JPEG is put into a \
      JPEG as it is coded.
      """)

  @Argument(help: "A JPEG, HEIC or AVIF.", completion: .file())
  var file: String

  @Option(help: "The map: a PNG or JPEG, half the picture's columns and rows.", completion: .file())
  var map: String

  @Option(help: "Metadata of the map, as extract writes it.", completion: .file())
  var metadata: String?

  @Option(name: [.short, .long], help: "The file to write.", completion: .file())
  var output: String

  @Option(help: "Quality of the coded map, 0...1. (default: 0.95 in JPEG, otherwise 0.85)")
  var quality: Double?

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup(visibility: HelpLevel.rest) var threads: ThreadOptions

  @OptionGroup var result: ResultOptions

  func validate() throws {
    if let quality, !(0...1).contains(quality) { throw ValidationError("--quality takes 0...1") }
  }

  func run() throws {
    let (file, output) = try overwriting.files(file, output)
    _ = try overwriting.file(self.output, of: [map] + (metadata.map { [$0] } ?? []))
    let workers = threads.threads ?? ProcessInfo.processInfo.activeProcessorCount
    try result.show(
      GainMapTool(file).replace(
        map: map, metadata: metadata, quality: quality, workers: workers, to: output))
  }
}

/// `rawdev gainmap discard`
struct GainMapDiscardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard",
    abstract: "Writes the picture without its gain map; Exif stays as it is.")

  @OptionGroup var options: GainMapRemovalOptions

  func run() throws { try options.remove(.map) }
}

/// `rawdev gainmap remove`
struct GainMapRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes HDR completely: the map and all metadata of it.",
    discussion: """
      Removes the map, its entries in the container and the index of pictures, and the properties \
      of hdrgm, HDRGainMap and HDRToneMap in the XMP. Tags 33 and 48 of Apple's maker note \
      stay, so that a map can be put back. A picture that is PQ or HLG itself is refused.
      """)

  @OptionGroup var options: GainMapRemovalOptions

  func run() throws { try options.remove(.everything) }
}

/// The files of the commands that take a map away.
struct GainMapRemovalOptions: ParsableArguments {
  @Argument(help: "A JPEG, HEIC, AVIF or JPEG XL.", completion: .file())
  var file: String

  @Option(name: [.short, .long], help: "The file to write.", completion: .file())
  var output: String

  @OptionGroup var overwriting: OverwriteOptions
  @OptionGroup var result: ResultOptions

  func remove(_ removal: GainMapTool.Removal) throws {
    let (file, output) = try overwriting.files(file, output)
    try result.show(GainMapTool(file).remove(removal, to: output))
  }
}

extension ResultOptions {
  /// The written file, and notes about it.
  fileprivate func show(_ edit: GainMapEdit) throws {
    for note in edit.notes { Terminal.note(note, about: edit.input) }
    try show(
      edit, writing: edit.output,
      "\(edit.output): \(edit.bytes) bytes, before \(edit.bytesBefore)")
  }
}
