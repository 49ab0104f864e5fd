package import Codecs
package import Containers
import Formats
import ImageCore

/// How tiles are coded: from linear values to code values, and from these to bits.
package struct TileCoding: Sendable {
  let codec: any StillCodec
  let tiles: TileLayout
  let encoding: PictureEncoding
  package let bits: Int
  package let chroma: ChromaFormat
  /// On the codec's own scale.
  package let quantizer: Int
  package let color: HEIFProperty.CodePoints

  /// chroma_sample_loc_type of H.265; 0 where nothing is subsampled.
  package var chromaLocation: Int { encoding.siting?.code ?? 0 }
}

/// Encodes rectangles of the picture on one thread, with its memory and encoder.
final class TileCoder: @unchecked Sendable {
  private let renderer: TileRenderer
  private let encoder: any TileEncoder

  /// For tiles of `tile` coded pixels.
  init(_ coding: TileCoding, tile: PixelSize) throws(WriteError) {
    renderer = TileRenderer(coding, tile: tile)
    encoder = try coding.codec.encoder(coding, tile: tile, threads: 1)
  }

  /// The decoder configuration record of all tiles, of which `tile` is one.
  func record(tile: [UInt8]) throws(WriteError) -> [UInt8] { try encoder.record(tile: tile) }

  /// The coded tiles of `stack`, runs of neighbors one below another.
  func encode(
    _ picture: some PixelSource, stack: [[PixelRect]]
  ) throws -> [[(bytes: [UInt8], statistics: ContentLightStatistics)]] {
    try renderer.render(picture, stack: stack) { _, codes, statistics in
      (try encoder.encode(codes), statistics)
    }
  }
}
