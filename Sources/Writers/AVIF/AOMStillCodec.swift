import AV1Codec
import Codecs
import Containers
import Formats
import ImageCore

/// AV1 in AVIF, coded by libaom. It codes any size; tiles are sized evenly so that little padding
/// is coded. libaom 3.6 at the same PSNR, against tiles of 1024: 512 takes 1–5 % more bytes (mainly
/// at low quality) and half the memory, 2048 takes 1–3 % less and more than twice the memory, in
/// equal time.
struct AOMStillCodec: AVIFCodec {
  /// libaom's, 0…9.
  let speed: Int

  /// Default speed.
  static let usualSpeed = 7

  /// libaom's quantizers that gave two photographs (PQ, 10 bits, speed 7) the PSNR of luma that a
  /// HEIF of the same quality has; the two agreed within 3 %. 0 would switch to lossless coding.
  private static let quantizers: [(quality: Double, quantizer: Double)] = [
    (0, 56), (0.15, 50), (0.3, 38), (0.4, 30), (0.5, 20), (0.65, 9.6), (0.75, 6), (0.85, 3.7),
    (0.95, 2.4), (1, 1),
  ]

  func quantizer(quality: Double) -> Int {
    Self.interpolated(Self.quantizers, at: quality)
  }

  func encoder(
    _ coding: TileCoding, tile: PixelSize, threads: Int
  ) throws(WriteError) -> any TileEncoder {
    AOMEncoder(AOMCodec.Settings(coding, size: tile, speed: speed, threads: threads))
  }
}

extension AOMCodec.Settings {
  init(_ coding: TileCoding, size: PixelSize, speed: Int, threads: Int) {
    self.init(
      size: size, bits: coding.bits, chroma: coding.chroma, quantizer: coding.quantizer,
      speed: speed, color: coding.color, chromaPosition: coding.chromaPosition, threads: threads)
  }
}
