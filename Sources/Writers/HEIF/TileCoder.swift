package import Codecs
package import Containers
import Formats
import ImageCore

/// How tiles are coded: from linear values to code values, and from these to bits.
package struct TileCoding: Sendable {
  let codec: any StillCodec
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
  private let encoding: PictureEncoding
  private let encoder: any TileEncoder
  private let wide: PlanarBuffer
  private let light: PlanarBuffer
  private let scratch: PlanarBuffer
  private let codes: YCbCrPlanes

  /// The decoder configuration record of all tiles, of which `tile` is one.
  func record(tile: [UInt8]) throws(WriteError) -> [UInt8] { try encoder.record(tile: tile) }

  /// For tiles of `tile` coded pixels.
  init(_ coding: TileCoding, tile: PixelSize) throws(WriteError) {
    encoding = coding.encoding
    encoder = try coding.codec.encoder(coding, tile: tile)
    light = PlanarBuffer(size: PixelSize(width: tile.width + 1, height: tile.height + 1))
    wide = PlanarBuffer(size: PixelSize(width: 0, height: 0))
    scratch = PlanarBuffer(size: PixelSize(width: tile.width, height: 1))
    codes = YCbCrPlanes(size: tile, chroma: coding.chroma)
  }

  /// The coded tiles of `rects`, neighbors in one row of the picture.
  func encode(
    _ picture: some PixelSource, rects: [PixelRect]
  ) throws(WriteError) -> [(bytes: [UInt8], statistics: ContentLightStatistics)] {
    guard let first = rects.first, let last = rects.last else { return [] }
    let whole = encoding.source(
      of: PixelRect(x: first.x, y: first.y, width: last.endX - first.x, height: first.height))
    picture.read(whole, into: wide)
    var tiles: [(bytes: [UInt8], statistics: ContentLightStatistics)] = []
    for rect in rects {
      light.copy(
        encoding.source(of: rect), of: wide, from: PixelPoint(x: whole.x, y: whole.y))
      let statistics = encoding.encode(light, rect: rect, scratch: scratch, into: codes)
      tiles.append((try encoder.encode(codes), statistics))
    }
    return tiles
  }
}
