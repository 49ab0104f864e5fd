package import Containers
package import Formats
package import ImageCore

/// What codes the pictures of a still picture file: HEVC in HEIF, AV1 in AVIF. The container is
/// one.
package protocol StillCodec: Sendable {
  /// The kind of its files: a HEIF or an AVIF.
  var container: EncoderSettings.Container { get }
  /// How an item that is a coded picture is coded.
  var kind: CodedStill.Codec { get }
  /// The dialects of gain maps that its files hold.
  var gainMapForms: GainMapDialects { get }
  /// Longest side of a tile.
  var longestTileSide: Int { get }
  /// Whether readers take a grid of odd size and 4:2:0, which ISO/IEC 23000-22 forbids.
  var takesOddGrids: Bool { get }

  /// The codec's quantizer for a quality of 0…1.
  func quantizer(quality: Double) -> Int
  /// The coded length of the tiles that a side of `length` pixels is cut into.
  func tileLength(_ length: Int) -> Int
  /// Whether a picture no larger than a tile is coded as it is, with nothing to crop.
  func codesWhole(_ picture: PixelSize) -> Bool
  /// An encoder of one worker for tiles of `tile` coded pixels.
  func encoder(_ coding: TileCoding, tile: PixelSize) throws(WriteError) -> any TileEncoder
  /// The brands of a file with these coded pictures: the major one, and all.
  func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String])
}

extension StillCodec {
  /// The name of its files.
  var name: String { container.rawValue.uppercased() }
  /// Media type of its files.
  var mediaType: String { "image/\(container.rawValue)" }
}

/// One worker's encoder: each picture stands alone, its bytes depend on the settings and pixels
/// only.
package protocol TileEncoder: AnyObject {
  /// The item data of the picture in `codes`.
  func encode(_ codes: CodePlanes) throws(WriteError) -> [UInt8]
  /// The decoder configuration record of all tiles, of which `tile` is one.
  func record(tile: [UInt8]) throws(WriteError) -> [UInt8]
}
