package import Containers
package import Formats
package import ImageCore

/// AV1 in AVIF, coded by libaom. It codes any size; tiles are sized evenly so that little lies
/// beyond the picture. Pictures up to the largest level of AV1 are coded in one piece: readers that
/// know no grids, ffmpeg 5.1 among them, show nothing else (`Docs/decisions`, 0017). libaom 3.6 at
/// the same PSNR, against tiles of 1024: 512 takes 1–5 % more bytes (most at low quality) and half
/// the memory, 2048 takes 1–3 % less and more than twice the memory, in equal time.
package struct AV1StillCodec: StillCodec {
  /// libaom's, 0…9.
  let speed: Int

  package init(speed: Int = HEIFWriter.Settings.defaultSpeed) { self.speed = speed }

  package var container: EncoderSettings.Container { .avif }
  package var kind: CodedStill.Codec { .av1 }
  package var gainMapFormats: Set<GainMapFormat> { [.iso] }
  package var longestTileSide: Int { 1024 }
  /// libavif rejects them.
  package var takesOddGrids: Bool { false }

  /// libaom's quantizers that gave two photographs (PQ, 10 bits, speed 7) the PSNR of luma that a
  /// HEIF of the same quality has; the two agreed within 3 %. 0 would switch to lossless coding.
  private static let quantizers: [(quality: Double, quantizer: Double)] = [
    (0, 56), (0.15, 50), (0.3, 38), (0.4, 30), (0.5, 20), (0.65, 9.6), (0.75, 6), (0.85, 3.7),
    (0.95, 2.4), (1, 1),
  ]

  /// On the line between its neighbors in the table.
  package func quantizer(quality: Double) -> Int {
    var below = Self.quantizers[0]
    for next in Self.quantizers.dropFirst() {
      if quality <= next.quality {
        let fraction = (quality - below.quality) / (next.quality - below.quality)
        return Int((below.quantizer + fraction * (next.quantizer - below.quantizer)).rounded())
      }
      below = next
    }
    return 1
  }

  package func tileLength(_ length: Int) -> Int {
    let count = (length - 1) / longestTileSide + 1
    return ((length - 1) / count + 64) & ~63
  }

  /// Levels 6.0 to 6.3 of the AV1 specification, annex A.3.
  package var usualPiece: PieceLimit {
    PieceLimit(width: 16_384, height: 8704, area: TileLayout.largestAV1Area)
  }
  /// What the frame header holds, and the pixels that libavif decodes.
  package var largestPiece: PieceLimit {
    PieceLimit(width: 65_535, height: 65_535, area: 16_384 * 16_384)
  }

  package func codedSize(_ picture: PixelSize) -> PixelSize { picture }

  package func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder {
    AV1Encoder(AV1Codec.Settings(coding, size: tile, speed: speed, threads: threads))
  }

  package func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    let profile = AV1Configuration.brand(pictures.map(\.record))
    return ("avif", ["avif", "mif1", "miaf"] + (profile.map { [$0] } ?? []))
  }
}
