import Foundation
import HDRRender
import ImageCore
public import Readers
import Remux
import Writers

/// What `rawdev gainmap` does: the gain map of a finished picture as a file of its own, put back,
/// or taken away, without coding the picture anew.
public struct GainMapTool: Sendable {
  /// What is taken away.
  public enum Removal: Sendable {
    /// The map and what leads to it; Exif stays as it is.
    case map
    /// All that speaks of HDR, MakerApple 33 and 48 among it.
    case everything
  }

  /// The picture file.
  public let input: String

  /// Work on the file at `input`.
  public init(_ input: String) { self.input = input }

  private func editor() throws -> GainMapEditor {
    try GainMapEditor(contentsOf: URL(fileURLWithPath: input))
  }

  /// Writes the map to `target`: a PNG of its samples as they are coded, 8 bits, or 16 for more;
  /// or, where the name ends in jpg and the picture is a JPEG, the coded map byte for byte. What it
  /// means goes to `metadata`, if that is named, as JSON that
  /// ``replace(map:metadata:quality:workers:to:)`` reads.
  public func extract(to target: String, metadata: String?) throws(DevelopError) -> GainMapExtract {
    do {
      let editor = try editor()
      guard let map = try editor.image.auxiliaryGainMap() else {
        let notes = editor.image.notes.first.map { " (\($0))" } ?? ""
        throw ReadError(
          .unsupported,
          "it has no gain map that can be used\(notes); rawdev identify says what it is",
          path: input)
      }
      let bytes: Int
      switch URL(fileURLWithPath: target).pathExtension.lowercased() {
      case "png": bytes = try Self.writePNG(map.image(), to: target)
      case "jpg", "jpeg":
        guard let coded = try editor.codedGainMap() else {
          throw ReadError(
            .badSetting, "only JPEG files hold their map as a JPEG; name a .png", path: input)
        }
        bytes = coded.count
        try Self.write(coded, to: target)
      default:
        throw ReadError(.badSetting, "name a .png, or for JPEG files a .jpg", path: target)
      }
      let facts = Facts(map: map, headroom: editor.image.contentHeadroom)
      if let metadata {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try Self.write(Array(encoder.encode(facts)) + [0x0A], to: metadata)
      }
      return GainMapExtract(
        input: input, output: target, metadata: metadata, bytes: bytes,
        description: map.description, bits: map.bits, statements: map.metadata,
        headroom: facts.headroom)
    } catch { throw DevelopError(error, path: input) }
  }

  /// Writes the picture with the map at `map`, a JPEG (whose coded data go into a JPEG untouched),
  /// PNG or any other still whose numbers are the samples, lying as the picture is coded;
  /// `metadata` as ``extract(to:metadata:)`` wrote it says what it means, else the file goes on
  /// saying it.
  public func replace(
    map: String, metadata: String?, quality: Double?, workers: Int, to target: String
  ) throws(DevelopError) -> GainMapEdit {
    do {
      let editor = try editor()
      let still = try StillImage(contentsOf: URL(fileURLWithPath: map))
      let samples: GainMapEditor.Samples =
        still.kind == .jpeg && editor.image.kind == .jpeg
        ? .jpeg(Array(try Data(contentsOf: URL(fileURLWithPath: map))))
        : .image(try still.storedSamples())
      let statements = try metadata.map { try Self.statements(at: $0) }
      return try finish(
        editor,
        editor.replacingGainMap(
          samples, statements: statements, quality: quality, workers: max(workers, 1)), target)
    } catch { throw DevelopError(error, path: input) }
  }

  /// Writes the picture without its map. One that has none is copied byte for byte, and a note says
  /// so.
  public func remove(_ removal: Removal, to target: String) throws(DevelopError) -> GainMapEdit {
    do {
      let editor = try editor()
      let edited =
        removal == .map ? try editor.discardingGainMap() : try editor.removingHDR()
      return try finish(editor, edited, target)
    } catch { throw DevelopError(error, path: input) }
  }

  private func finish(
    _ editor: GainMapEditor, _ edited: EditedFile, _ target: String
  ) throws -> GainMapEdit {
    let before = editor.byteCount
    try edited.write(to: target)
    return GainMapEdit(
      input: input, output: target, bytes: edited.bytes.count, bytesBefore: before,
      notes: edited.notes
        + (edited.isChanged ? [] : ["nothing was there to take away; it is a copy"]))
  }

  private static func statements(at path: String) throws -> GainMapStatements {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ReadError(.cannotRead, "the metadata cannot be read; check the path", path: path)
    }
    do {
      return try JSONDecoder().decode(GainMapStatements.self, from: data)
    } catch let error as GainMapError {
      throw ReadError(.badSetting, error.message, path: path)
    } catch {
      throw ReadError(
        .badSetting, "this is no metadata of a gain map; see those that extract writes", path: path)
    }
  }

  private static func writePNG(_ map: GainMapImage, to path: String) throws -> Int {
    let depth: PNGWriter.Depth = map.maximumCode > 255 ? .bits16 : .bits8
    let top = Int(map.maximumCode)
    let most = depth == .bits8 ? 255 : 65_535
    let count = map.size.width * map.channels
    return try PNGWriter(depth: depth, layout: map.channels == 3 ? .rgb : .gray)
      .write(size: map.size, to: path) { y, samples in
        for x in 0..<count {
          samples[x] = UInt16(clamping: (Int(map.codes[y * count + x]) * most + top / 2) / top)
        }
      }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    try AtomicFile.write(to: path) { descriptor in
      try bytes.withUnsafeBytes { try AtomicFile.append($0, to: descriptor, path: path) }
    }
  }

  /// The JSON file: statements and layout.
  private struct Facts: Encodable {
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

/// What was extracted.
public struct GainMapExtract: Sendable, Encodable {
  /// The picture file.
  public var input: String
  /// The map's file.
  public var output: String
  /// The file of what it means; nil when none was named.
  public var metadata: String?
  /// Bytes of the map's file.
  public var bytes: Int
  /// How the samples lie in Apple's auxiliary dictionary.
  public var description: AuxiliaryGainMap.Description
  /// Bits of a sample.
  public var bits: Int
  /// All that the picture file says of the map.
  public var statements: GainMapStatements
  /// What the map opens, a ratio to reference white.
  public var headroom: Double
}

/// What became of a picture file.
public struct GainMapEdit: Sendable, Encodable {
  /// The picture file.
  public var input: String
  /// The new file.
  public var output: String
  /// Its bytes.
  public var bytes: Int
  /// Those of the picture file.
  public var bytesBefore: Int
  /// What could not be said, or was not as it should be.
  public var notes: [String]
}
