import Codecs
import Containers
package import Formats
package import ImageCore

/// AV1 in AVIF, coded by ``AV1IntraEncoder``. A single picture is divided into AV1 tiles, so that
/// some are coded while others are rendered.
package struct AV1StillCodec: AVIFCodec {
  /// Rows of an AV1 tile of a single picture. Fewer rows make files larger, as probabilities are
  /// adapted from the defaults in each tile.
  private static let tileHeight = 256

  /// Below, files of photographs are more than a tenth larger than libaom's at the same error.
  static let minQuality = 0.7

  package init() {}

  /// base_q_idx that gives photographs the PSNR of luma that libaom's quantizers for this quality
  /// give: about four times these (HLG and PQ, 10 bits; three pictures agreed within 4 %). 0 would
  /// switch to lossless coding.
  private static let quantizers: [(quality: Double, quantizer: Double)] = [
    (0, 210), (0.15, 185), (0.3, 137), (0.4, 110), (0.5, 76), (0.65, 38), (0.75, 24), (0.85, 15),
    (0.95, 9), (1, 2),
  ]

  package func quantizer(quality: Double) -> Int {
    Self.interpolated(Self.quantizers, at: quality)
  }

  package func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder {
    try AV1IntraEncoder(.init(coding, tiles: AV1TileLayout(tile, height: tile.height)))
  }

  package func part(of picture: PixelSize) -> PixelSize? {
    AV1TileLayout(picture, height: Self.tileHeight).tile
  }

  package func partEncoder(
    _ coding: TileCoding, picture: PixelSize
  ) throws(WriteError) -> any PartEncoder {
    try AV1IntraEncoder(.init(coding, tiles: AV1TileLayout(picture, height: Self.tileHeight)))
  }
}
