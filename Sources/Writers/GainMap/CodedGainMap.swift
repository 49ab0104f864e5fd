import Codecs
import Containers
package import Formats
package import HDRRender
package import ImageCore

/// A gain map coded for a file that is there already: its samples as they are, in eight bits.
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

  /// Throws for the quality of a gain map that is none.
  package static func check(quality: Double) throws(WriteError) {
    guard quality >= 0, quality <= 1 else {
      throw WriteError(.badSetting, "gain map quality \(quality) is outside 0…1; 0.85 is usual")
    }
  }

  /// What a HEIF or AVIF needs of one coded picture, or a grid of them: coded tiles and whole property boxes.
  package struct Tiles: Sendable {
    /// Columns and rows of the map.
    package let size: PixelSize
    /// 1 or 3.
    package let channels: Int
    /// Row by row; one where the map is a picture of its own.
    package let tiles: [[UInt8]]
    /// Payload of the grid item; nil for a picture of its own.
    package let grid: [UInt8]?
    /// Type of the items of coded pictures.
    package let itemType: String
    /// `hvcC` or `av1C`, essential.
    package let configuration: [UInt8]
    /// `ispe` of a tile.
    package let tileSize: [UInt8]
    /// `ispe` of the map.
    package let wholeSize: [UInt8]
    /// `pixi`.
    package let depth: [UInt8]
    /// `colr` with code points.
    package let color: [UInt8]
    /// Whether a file with it keeps the rules of ISO/IEC 23000-22.
    package let followsMIAF: Bool

    /// Codes `map` by `codec`; 4:4:4 where it has three channels.
    package init(
      _ map: GainMapImage, codec: any StillCodec, quantiser: Int, workers: Int
    ) throws {
      let samples = GainMapSamples(map: map)
      let isGrey = map.channels == 1
      let coding = TileCoding(
        codec: codec, encoding: samples.encoding(siting: nil), bits: 8,
        chroma: isGrey ? .monochrome : .yuv444,
        quantiser: quantiser, color: isGrey ? .gainMap : .colorGainMap)
      let coded = try CodedTiles(samples, coding: coding, workers: workers)
      (size, channels, itemType) = (map.size, map.channels, codec.itemType)
      tiles = coded.tiles
      grid = coded.grid.isSinglePicture ? nil : coded.grid.payload
      configuration = HEIFProperty.decoderConfiguration(coded.record, codec).box
      tileSize = HEIFProperty.size(coded.grid.tile).box
      wholeSize = HEIFProperty.size(coded.grid.picture).box
      depth = HEIFProperty.depth(8, channels: map.channels).box
      color = HEIFProperty.color(coding.color).box
      followsMIAF = coded.followsMIAF
    }
  }

  /// `auxC` with Apple's name of the map, essential.
  package static var appleProperty: [UInt8] {
    HEIFProperty.auxiliary(AppleGainMap.auxiliaryType).box
  }

  /// `colr` of the rendition that a map makes, in `primaries`.
  package static func alternateColor(_ primaries: Primaries, isHDR: Bool) -> [UInt8] {
    HEIFProperty.color(ColorCode(primaries: primaries, isHDR: isHDR)).box
  }

  /// `pixi` of the rendition that a map makes.
  package static func alternateDepth(isHDR: Bool) -> [UInt8] {
    HEIFProperty.depth(isHDR ? 10 : 8).box
  }
}
