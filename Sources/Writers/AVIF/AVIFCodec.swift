import Codecs
import Containers
import Formats
import ImageCore

/// AV1 in AVIF, by either encoder. Pictures up to the largest level of AV1 are coded as one:
/// readers without support for grids, such as ffmpeg 5.1, show nothing else (`Docs/decisions`,
/// 0017).
protocol AVIFCodec: StillCodec {}

extension AVIFCodec {
  package var container: EncoderSettings.Container { .avif }
  package var kind: CodedStill.Codec { .av1 }
  package var longestTileSide: Int { 1024 }
  /// libavif rejects them.
  package var takesOddGrids: Bool { false }

  package func tileLength(_ length: Int) -> Int {
    let count = (length - 1) / longestTileSide + 1
    return ((length - 1) / count + 64) & ~63
  }

  /// Levels 6.0 to 6.3 of the AV1 specification, annex A.3.
  package var usualSingle: PictureLimit {
    PictureLimit(width: 16_384, height: 8704, area: TileLayout.largestAV1Area)
  }
  /// What the frame header holds, and the pixels that libavif decodes.
  package var largestSingle: PictureLimit {
    PictureLimit(width: 65_535, height: 65_535, area: 16_384 * 16_384)
  }

  package func codedSize(_ picture: PixelSize) -> PixelSize { picture }

  package func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    let profile = AV1Configuration.brand(pictures.map(\.record))
    return ("avif", ["avif", "mif1", "miaf"] + (profile.map { [$0] } ?? []))
  }

  /// The quantizer for `quality` on the line between its neighbors in `table`.
  static func interpolated(
    _ table: [(quality: Double, quantizer: Double)], at quality: Double
  ) -> Int {
    var below = table[0]
    for next in table.dropFirst() {
      if quality <= next.quality {
        let fraction = (quality - below.quality) / (next.quality - below.quality)
        return Int((below.quantizer + fraction * (next.quantizer - below.quantizer)).rounded())
      }
      below = next
    }
    return Int(below.quantizer)
  }
}

extension TileCoding {
  /// chroma_sample_position of AV1: 0 unknown, 1 left, 2 top left.
  var chromaPosition: UInt8 {
    switch encoding.siting?.code {
    case ChromaSiting.left.code: 1
    case ChromaSiting.topLeft.code: 2
    default: 0
    }
  }
}
