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
    try check(quality: quality)
    let samples = GainMapSamples(map: map)
    let coding = JPEGCoding(
      encoding: samples.encoding(siting: nil),
      chroma: map.channels == 1 ? .monochrome : .yuv444,
      quality: JPEGWriter.number(quality: quality))
    return try CodedJPEG(samples, coding: coding, workers: workers).file([]).flatMap { $0 }
  }

  /// Throws unless `quality` is one of `EncoderSettings.qualities`.
  package static func check(quality: Double) throws(WriteError) {
    let taken = EncoderSettings.qualities
    guard (Double(taken.lowerBound)...Double(taken.upperBound)).contains(quality) else {
      throw WriteError(
        .badSetting, "the quality of the gain map is \(quality); it takes \(taken.text)")
    }
  }

  /// `map` coded by `codec` in a quality of 0…1, for a HEIF or AVIF; 4:4:4 where it has three
  /// channels.
  package static func tiles(
    _ map: GainMapImage, codec: any StillCodec, quality: Double, workers: Int
  ) throws -> CodedTiles {
    let samples = GainMapSamples(map: map)
    let coding = samples.tileCoding(
      codec, tiles: .auto, chroma: map.channels == 1 ? .monochrome : .yuv444, siting: nil,
      quality: quality)
    return try CodedTiles(samples, coding: coding, workers: workers)
  }

  /// Color and depth properties of the alternate rendition, in `primaries`, or in BT.2020 where
  /// these have no code point.
  package static func alternate(_ primaries: Primaries, isHDR: Bool) -> [HEIFProperty] {
    let named = primaries.codePoint == 2 ? .bt2020 : primaries
    return [.codePoints(.init(named, isHDR ? .pq : .standard)), .depth(isHDR ? 10 : 8)]
  }
}
