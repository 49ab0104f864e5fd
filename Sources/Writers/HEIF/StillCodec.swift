package import Containers
package import Formats
package import ImageCore

/// The codec of a still picture file: HEVC in HEIF, AV1 in AVIF, which use the same container
/// format.
package protocol StillCodec: Sendable {
  /// The kind of its files: a HEIF or an AVIF.
  var container: EncoderSettings.Container { get }
  /// The codec of its image items.
  var kind: CodedStill.Codec { get }
  /// Longest side of a tile.
  var longestTileSide: Int { get }
  /// Whether readers accept a grid of odd size in 4:2:0, which ISO/IEC 23000-22 forbids.
  var takesOddGrids: Bool { get }

  /// The codec's quantizer for a quality of 0…1.
  func quantizer(quality: Double) -> Int
  /// Coded length of the tiles of a side of `length` pixels.
  func tileLength(_ length: Int) -> Int
  /// The largest picture coded without a grid by default; pictures smaller than a tile always are.
  var usualSingle: PictureLimit { get }
  /// The largest picture that can be coded without a grid.
  var largestSingle: PictureLimit { get }
  /// Coded size of a single picture: its own, or larger, then cropped.
  func codedSize(_ picture: PixelSize) -> PixelSize
  /// An encoder for tiles of `tile` coded pixels that uses `threads`; its bits are the same for
  /// every number of threads above one.
  func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder
  /// Coded size of the parts of a single picture, which are coded in parallel; nil where it has no
  /// parts.
  func part(of picture: PixelSize) -> PixelSize?
  /// An encoder for such parts.
  func partEncoder(
    _ coding: TileCoding, picture: PixelSize
  ) throws(WriteError) -> any PartEncoder
  /// The brands of a file with these coded pictures: the major one, and all.
  func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String])
}

/// The largest coded picture: columns, rows and pixels.
package struct PictureLimit: Sendable {
  let width, height, area: Int

  package init(width: Int, height: Int, area: Int) {
    (self.width, self.height, self.area) = (width, height, area)
  }

  func holds(_ picture: PixelSize) -> Bool {
    picture.width <= width && picture.height <= height && picture.area <= area
  }
}

extension StillCodec {
  package func part(of picture: PixelSize) -> PixelSize? { nil }
  package func partEncoder(
    _ coding: TileCoding, picture: PixelSize
  ) throws(WriteError) -> any PartEncoder {
    throw WriteError(.encoderFailed, "\(name) pictures are not coded in parts")
  }

  /// The name of its files.
  var name: String { container.rawValue.uppercased() }
  /// Media type of its files.
  var mediaType: String { "image/\(container.rawValue)" }
}

/// An encoder, called by one thread: each picture decodes alone, its bytes depend only on the
/// settings and pixels.
package protocol TileEncoder: AnyObject {
  /// The item data of the picture in `codes`.
  func encode(_ codes: YCbCrPlanes) throws(WriteError) -> [UInt8]
  /// The decoder configuration record of all tiles, from any one of them.
  func record(tile: [UInt8]) throws(WriteError) -> [UInt8]
}

/// An encoder of the parts of one picture, called by one thread: their bytes depend only on the
/// settings and pixels.
package protocol PartEncoder: TileEncoder {
  /// The part of this number, counted row by row, from its code values.
  func encode(_ codes: YCbCrPlanes, part: Int) throws(WriteError) -> [UInt8]
  /// The item data of the picture of all parts.
  func join(_ parts: [[UInt8]]) throws(WriteError) -> [UInt8]
}
