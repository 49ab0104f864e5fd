import Codecs
package import Containers
package import Formats
package import HDRRender
package import ImageCore

/// A gain map encoded for an existing file, its 8-bit samples unchanged.
package enum CodedGainMap {
  /// A JPEG of `map` without application segments.
  package static func jpeg(
    _ map: GainMapImage, quality: Double, workers: Int
  ) throws -> [UInt8] {
    try JPEGWriter.check(quality: quality)
    let samples = GainMapSamples(map: map)
    let coding = JPEGCoding(
      encoding: samples.encoding(siting: nil),
      chroma: map.channels == 1 ? .monochrome : .yuv444,
      quality: JPEGWriter.number(quality: quality))
    return try CodedJPEG(samples, coding: coding, workers: workers).file([]).flatMap { $0 }
  }

  /// Throws unless `quality` is within 0…1.
  package static func check(quality: Double) throws(WriteError) {
    guard quality >= 0, quality <= 1 else {
      throw WriteError(.badSetting, "gain map quality \(quality) is outside 0…1; 0.85 is usual")
    }
  }

  /// The coded tiles and properties of a gain map in a HEIF or AVIF: one coded picture or a grid.
  package struct Tiles: Sendable {
    /// Columns and rows of the map.
    package let size: PixelSize
    /// 1 or 3.
    package let channels: Int
    /// Row by row; a single one where there is no grid.
    package let tiles: [[UInt8]]
    /// Payload of the grid item; nil for a single picture.
    package let grid: [UInt8]?
    /// Type of the items of coded pictures.
    package let itemType: String
    /// `hvcC` or `av1C`.
    package let configuration: HEIFProperty
    /// Columns and rows of a tile.
    package let tileSize: PixelSize
    package let color: HEIFProperty
    /// Whether a file with it conforms to ISO/IEC 23000-22.
    package let followsMIAF: Bool

    /// Codes `map` by `codec` in a quality of 0…1; 4:4:4 where it has three channels.
    package init(
      _ map: GainMapImage, codec: any StillCodec, quality: Double, workers: Int
    ) throws {
      let samples = GainMapSamples(map: map)
      let coding = samples.tileCoding(
        codec, chroma: map.channels == 1 ? .monochrome : .yuv444, siting: nil, quality: quality)
      let coded = try CodedTiles(samples, coding: coding, workers: workers)
      (size, channels, itemType) = (map.size, map.channels, codec.kind.rawValue)
      tiles = coded.tiles
      grid = coded.grid.isSinglePicture ? nil : coded.grid.payload
      (configuration, tileSize) = (coded.configuration, coded.grid.tile)
      color = .codePoints(coding.color)
      followsMIAF = coded.followsMIAF
    }
  }

  /// Color and depth properties of the alternate rendition, in `primaries`.
  package static func alternate(_ primaries: Primaries, isHDR: Bool) -> [HEIFProperty] {
    [.codePoints(.init(primaries, isHDR ? .pq : .standard)), .depth(isHDR ? 10 : 8)]
  }
}
