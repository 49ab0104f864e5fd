import Codecs
package import Containers
public import Formats
import HDRRender
public import ImageCore
public import Writers

/// HEVC in HEIF, coded by libx265. Where a picture ends inside a coding unit it would code
/// uninitialized memory, so tiles are multiples of 64 and cropped, as they are without it.
package struct X265StillCodec: StillCodec {
  private let usual = HEVCStillCodec()

  package init() {}

  package var container: EncoderSettings.Container { usual.container }
  package var kind: CodedStill.Codec { usual.kind }
  package var longestTileSide: Int { usual.longestTileSide }
  package var takesOddGrids: Bool { usual.takesOddGrids }
  package var usualSingle: PictureLimit { usual.usualSingle }
  package var largestSingle: PictureLimit { usual.largestSingle }

  package func quantizer(quality: Double) -> Int { usual.quantizer(quality: quality) }
  package func tileLength(_ length: Int) -> Int { usual.tileLength(length) }
  package func codedSize(_ picture: PixelSize) -> PixelSize { usual.codedSize(picture) }
  package func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    usual.brands(pictures)
  }

  package func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder {
    try X265Encoder(X265Encoder.Settings(coding, size: tile))
  }
}

extension HEIFWriter {
  /// A writer of HEIFs coded by libx265, for programs that have its licence: four times slower than
  /// the default one, with files of about the same size and the same parameters.
  public static func x265(
    _ settings: EncoderSettings, workers: Int = Parallel.defaultWorkers
  ) throws(WriteError) -> HEIFWriter {
    guard settings.container == .heif else {
      throw WriteError(.badSetting, "libx265 codes HEIFs; take settings for one")
    }
    return try HEIFWriter(settings, codec: X265StillCodec(), workers: workers)
  }
}
