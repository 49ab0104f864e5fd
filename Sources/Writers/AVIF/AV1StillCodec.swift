package import Containers
package import Formats
package import ImageCore

/// AV1 in AVIF, coded by libaom. It codes any size, and its tiles are made alike to leave little
/// beyond the picture. libaom 3.6 at the same PSNR, against tiles of 1024: 512 takes 1–5 % more
/// bytes (most at low quality) and half the memory, 2048 takes 1–3 % less and more than twice the
/// memory, in equal time.
package struct AV1StillCodec: StillCodec {
  /// libaom's, 0…9.
  let speed: Int

  package init(speed: Int = AVIFWriter.Settings.defaultSpeed) { self.speed = speed }

  package var name: String { "AVIF" }
  package var mediaType: String { "image/avif" }
  package var kind: CodedStill.Codec { .av1 }
  package var longestTileSide: Int { 1024 }
  /// libavif refuses them.
  package var takesOddGrids: Bool { false }

  package func tileLength(_ length: Int) -> Int {
    let count = (length - 1) / longestTileSide + 1
    return ((length - 1) / count + 64) & ~63
  }

  package func codesWhole(_ picture: PixelSize) -> Bool { true }

  package func encoder(
    _ coding: TileCoding, tile: PixelSize
  ) throws(WriteError) -> any TileEncoder {
    AV1Encoder(AV1Encoder.Settings(coding, size: tile, speed: speed))
  }

  package func brands(_ pictures: [CodedTiles]) -> (major: String, compatible: [String]) {
    let profile = AV1Configuration.brand(pictures.map(\.record))
    return ("avif", ["avif", "mif1", "miaf"] + (profile.map { [$0] } ?? []))
  }
}

extension StillCodec where Self == AV1StillCodec {
  package static func av1(speed: Int) -> AV1StillCodec { AV1StillCodec(speed: speed) }
}
