import Containers
public import Formats
import Foundation
import HDRRender
public import ImageCore
public import Readers
import Remux
import Writers

/// Extracts, replaces and removes the gain map of a finished picture without encoding the picture
/// again: the work of `rawdev gainmap`.
public struct GainMapTool: Sendable {
  /// The extent of the removal.
  public enum Removal: Sendable {
    /// The map and the references to it, also for a base that is HDR.
    case map
    /// The same for an SDR picture, including MakerApple 33 and 48, so that no HDR remains.
    case everything
  }

  /// The picture file.
  public let input: String
  /// What each file may cost that is read.
  public var limits = DecodeLimits()

  /// A tool for the file at `input`, which is not changed.
  public init(_ input: String) { self.input = input }

  private func editor() throws -> GainMapEditor {
    try GainMapEditor(contentsOf: URL(fileURLWithPath: input), limits: limits)
  }

  /// Writes the map to `target`: a PNG of its code values, of 8 bits, or 16 for deeper maps; or,
  /// where the name ends in jpg and the picture is a JPEG, the encoded map byte for byte. Its
  /// parameters go to `metadata`, if it is given, as JSON that
  /// ``replace(map:metadata:quality:workers:to:)`` reads. Neither may be the picture.
  public func extract(
    to target: OutputDestination, metadata: OutputDestination?
  ) throws(DevelopError) -> GainMapExtract {
    do {
      let editor = try editor()
      let sources = editor.image.sources
      let json = OutputContent("JSON", ["json"], of: sources)
      try metadata?.check(json)
      guard let map = try editor.image.auxiliaryGainMap() else {
        let notes = editor.image.notes.first.map { " (\($0))" } ?? ""
        throw ReadError(
          .unsupported,
          "it has no usable gain map\(notes); check the file",
          path: input, remedies: [.identify])
      }
      let written: (byteCount: Int, contents: [UInt8]?)
      switch target.url == nil ? "png" : target.pathExtension {
      case "png": written = try Self.writePNG(map.image(), of: sources, to: target)
      case "jpg", "jpeg":
        guard let coded = try editor.codedGainMap() else {
          throw ReadError(
            .badSetting, "only JPEG files hold their map as a JPEG; name a .png", path: input)
        }
        written = try target.write(OutputContent(.jpeg, of: sources), chunks: [coded])
      default:
        throw ReadError(.badSetting, "name a .png, or for JPEG files a .jpg", path: target.name)
      }
      let parameters = Parameters(map: map, headroom: editor.image.contentHeadroom)
      if let metadata {
        let encoder = JSONEncoder.ofLines()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        _ = try metadata.write(json, chunks: [Array(encoder.encode(parameters)), [0x0A]])
      }
      return GainMapExtract(
        input: input, output: target.name, metadata: metadata?.name, contents: written.contents,
        bytes: written.byteCount,
        description: map.description, bits: map.bits, statements: map.metadata,
        headroom: parameters.headroom)
    } catch { throw DevelopError(error, path: input) }
  }

  /// Writes the picture with the map at `map`: a still whose code values are the samples, in the
  /// stored orientation of the picture. A JPEG is put into a JPEG byte for byte. `metadata` has
  /// parameters as ``extract(to:metadata:)`` writes them; nil keeps the picture's parameters.
  /// `target` may be the picture itself, if it may be replaced, but neither map nor metadata.
  public func replace(
    map: String, metadata: String?, quality: Double?, workers: Int, to target: OutputDestination
  ) throws(DevelopError) -> GainMapEdit {
    do {
      let editor = try editor()
      let still = try StillImage(contentsOf: URL(fileURLWithPath: map), limits: limits)
      let given = [map, metadata].compactMap { $0.flatMap { FileIdentity(path: $0) } }
      let target = try checked(target.keeping(Set(given)), editor)
      let samples: GainMapEditor.Samples =
        still.kind == .jpeg && editor.image.kind == .jpeg
        ? .jpeg(Array(try Data(contentsOf: URL(fileURLWithPath: map))))
        : .image(try still.storedSamples())
      let statements = try metadata.map { try Self.statements(at: $0) }
      return try finish(
        editor,
        editor.replacingGainMap(
          samples, parameters: statements, quality: quality, workers: max(workers, 1)), target)
    } catch { throw DevelopError(error, path: input) }
  }

  /// Writes the picture without its map. A picture without one is copied byte for byte, with a
  /// note.
  /// `target` may be the picture itself, if it may be replaced.
  public func remove(
    _ removal: Removal, to target: OutputDestination
  ) throws(DevelopError) -> GainMapEdit {
    do {
      let editor = try editor()
      let target = try checked(target, editor)
      let edited =
        removal == .map ? try editor.discardingGainMap() : try editor.removingHDR()
      return try finish(editor, edited, target)
    } catch { throw DevelopError(error, path: input) }
  }

  /// `target`, if the edited picture may be written there.
  private func checked(
    _ target: OutputDestination, _ editor: GainMapEditor
  ) throws(WriteError) -> OutputDestination {
    if let container = EncoderSettings.Container(rawValue: editor.image.kind.rawValue) {
      try target.check(OutputContent(container))
    }
    return target
  }

  private func finish(
    _ editor: GainMapEditor, _ edited: EditedFile, _ target: OutputDestination
  ) throws -> GainMapEdit {
    let before = editor.byteCount
    try edited.write(to: target)
    return GainMapEdit(
      input: input, output: target.name, contents: target.isMemory ? edited.bytes : nil,
      bytes: edited.bytes.count, bytesBefore: before,
      notes: edited.notes
        + (edited.isChanged ? [] : ["it has no map to remove; the output is a copy"]))
  }

  /// Maximum length of a metadata file; a map has some hundred bytes.
  private static let maxMetadataBytes = 1 << 20

  private static func statements(at path: String) throws -> GainMapParameters {
    let limits = DecodeLimits(maxFileBytes: maxMetadataBytes)
    guard let file = try? FileBytes(path: path, limits: limits),
      let bytes = file.bytes(0, file.count)
    else {
      throw ReadError(
        .cannotRead,
        "the metadata is not a readable file of up to \(maxMetadataBytes) bytes; check the path",
        path: path)
    }
    do {
      return try JSONDecoder().decode(GainMapParameters.self, from: Data(bytes))
    } catch let error as GainMapError {
      throw ReadError(.badSetting, error.message, path: path)
    } catch {
      throw ReadError(
        .badSetting, "this is not gain map metadata; give a file that extract wrote", path: path)
    }
  }

  private static func writePNG(
    _ map: GainMapImage, of sources: Set<FileIdentity>, to target: OutputDestination
  ) throws -> (byteCount: Int, contents: [UInt8]?) {
    let depth: PNGWriter.Depth = map.maximumCode > 255 ? .bits16 : .bits8
    let top = Int(map.maximumCode)
    let most = depth == .bits8 ? 255 : 65_535
    let count = map.size.width * map.channels
    return try PNGWriter(depth: depth, layout: map.channels == 3 ? .rgb : .gray)
      .write(size: map.size, to: target, of: sources) { y, samples in
        for x in 0..<count {
          samples[x] = UInt16(clamping: (Int(map.codes[y * count + x]) * most + top / 2) / top)
        }
      }
  }

  /// The contents of the JSON file: parameters and layout.
  private struct Parameters: Encodable {
    let map: AuxiliaryGainMap
    let headroom: Double
    private enum Key: String, CodingKey { case description, headroom }

    init(map: AuxiliaryGainMap, headroom: Double) { (self.map, self.headroom) = (map, headroom) }

    func encode(to encoder: any Encoder) throws {
      try map.metadata.encode(to: encoder)
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(map.description, forKey: .description)
      try values.encode(headroom, forKey: .headroom)
    }
  }
}

/// The result of extracting a gain map.
public struct GainMapExtract: Sendable, Encodable {
  /// The picture file.
  public var input: String
  /// The map's file, as messages call it: its path.
  public var output: String
  /// The file of its parameters; nil for none.
  public var metadata: String?
  /// All of the map's file, where it was written to memory. No part of the coded result.
  public internal(set) var contents: [UInt8]?
  /// Bytes of the map's file.
  public var bytes: Int
  /// Layout of the samples, as in Apple's auxiliary dictionary.
  public var description: AuxiliaryGainMap.Description
  /// Bits of a sample.
  public var bits: Int
  /// The parameters of the map in each format that the picture file has.
  public var statements: GainMapParameters
  /// The headroom with the map, a ratio to reference white.
  public var headroom: Double

  private enum CodingKeys: CodingKey {
    case input, output, metadata, bytes, description, bits, statements, headroom
  }
}

/// The result of replacing or removing a gain map.
public struct GainMapEdit: Sendable, Encodable {
  /// The picture file.
  public var input: String
  /// The new file, as messages call it: its path.
  public var output: String
  /// All of it, where it was written to memory. No part of the coded result.
  public internal(set) var contents: [UInt8]?
  /// Length of the new file in bytes.
  public var bytes: Int
  /// Length of the picture file in bytes.
  public var bytesBefore: Int
  /// Notes for people, one line each.
  public var notes: [String]

  private enum CodingKeys: CodingKey { case input, output, bytes, bytesBefore, notes }
}
