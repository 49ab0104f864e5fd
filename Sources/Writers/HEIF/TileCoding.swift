package import Codecs
package import Containers
import Formats
import ImageCore

/// How tiles are coded: from linear values to code values, and from these to bits.
package struct TileCoding: Sendable {
  let codec: any StillCodec
  let tiles: TileLayout
  let encoding: PictureEncoding
  package let bits: Int
  package let chroma: ChromaFormat
  /// On the codec's own scale.
  package let quantizer: Int
  package let color: HEIFProperty.CodePoints

  /// chroma_sample_loc_type of H.265; 0 where nothing is subsampled.
  package var chromaLocation: Int { encoding.siting?.code ?? 0 }
}
