import Codecs
package import Containers
import Formats
import HDRRender
package import ImageCore

/// HEVC in HEIF. Tiles are multiples of 64 pixels, as ISO/IEC 23000-22 requires, and cropped.
package struct HEVCStillCodec: StillCodec {
  /// Sides of a picture that is coded uncropped must be multiples of this: the coding tree unit.
  private static let unit = 32

  package init() {}

  package var container: EncoderSettings.Container { .heif }
  package var kind: CodedStill.Codec { .hevc }
  package var longestTileSide: Int { 512 }
  /// Some readers accept nothing else for odd sizes.
  package var takesOddGrids: Bool { true }

  /// H.265 quantization parameter, 0…48.
  package func quantizer(quality: Double) -> Int { Int(((1 - quality) * 48).rounded()) }

  package func tileLength(_ length: Int) -> Int { min(longestTileSide, (length + 63) & ~63) }

  /// Larger ones are tiles, as phones write them: coded while others are rendered.
  package var usualSingle: PictureLimit {
    PictureLimit(
      width: longestTileSide, height: longestTileSide, area: longestTileSide * longestTileSide)
  }
  /// Level 6.2 of H.265, annex A.4.1.
  package var largestSingle: PictureLimit {
    PictureLimit(width: 16_888, height: 16_888, area: 35_651_584)
  }

  package func codedSize(_ picture: PixelSize) -> PixelSize {
    let isFull =
      min(picture.width, picture.height) >= 64 && picture.width % Self.unit == 0
      && picture.height % Self.unit == 0
    return isFull
      ? picture
      : PixelSize(width: (picture.width + 63) & ~63, height: (picture.height + 63) & ~63)
  }

  package func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder {
    try HEVCIntraEncoder(.init(coding, size: tile))
  }

  package func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    // 8-bit Main is the one profile that every HEIC reader supports; all else is signalled as
    // `heix`.
    let isMain = pictures.first.map { $0.coding.bits == 8 && $0.coding.chroma == .yuv420 }
    let major = isMain == true ? "heic" : "heix"
    let isMIAF = pictures.allSatisfy(\.followsMIAF)
    return (major, ["mif1", major] + (isMIAF ? ["miaf"] : []))
  }
}
