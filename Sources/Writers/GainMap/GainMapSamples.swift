import Codecs
import Containers
import Formats
import HDRRender
import ImageCore

/// The samples of a gain map, 0…1: neither luminance nor color.
enum GainMapSignal: ImageState {
  /// No information besides the samples.
  struct Info: Sendable {}
}

/// A gain map, or alpha, as a picture source, to be coded like one; a single channel fills all
/// three planes.
struct GainMapSamples: PixelSource {
  typealias State = GainMapSignal

  let map: GainMapImage
  let info = GainMapSignal.Info()
  var size: PixelSize { map.size }
  var bandHeight: Int { 64 }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try buffer.reshape(rect.size)
    let scale = 1 / Float(map.maximumCode)
    unsafe map.codes.withUnsafeBufferPointer { codes in
      for y in 0..<rect.height {
        let first = ((rect.y + y) * size.width + rect.x) * map.channels
        for plane in 0..<map.channels {
          let row = buffer.row(plane, y)
          for x in 0..<rect.width {
            row[x] = unsafe Float(codes[first + x * map.channels + plane]) * scale
          }
        }
        for plane in map.channels..<3 {
          buffer.row(plane, y).update(from: buffer.row(0, y), count: rect.width)
        }
      }
    }
  }

  /// From samples to code values: one channel, or three by the matrix of BT.601.
  func encoding(siting: ChromaSiting?, bits: Int = 8) -> PictureEncoding {
    PictureEncoding(
      signal: nil, toneMapping: nil,
      conversion: YCbCrConversion(matrix: .bt601, bits: bits),
      siting: map.channels == 3 ? siting : nil)
  }

  /// How it is coded by `codec`, in a quality of 0…1.
  func tileCoding(
    _ codec: any StillCodec, tiles: TileLayout, chroma: ChromaFormat, siting: ChromaSiting?,
    quality: Double, bits: Int = 8
  ) -> TileCoding {
    TileCoding(
      codec: codec, tiles: tiles, encoding: encoding(siting: siting, bits: bits), bits: bits,
      chroma: chroma,
      quantizer: codec.quantizer(quality: quality), color: .init(gainMapChannels: map.channels))
  }
}
