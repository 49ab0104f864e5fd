package import Codecs
package import Formats
package import HDRRender
import ImageCore

/// How a picture is written into a HEIF or AVIF: what the settings of both writers say.
package struct StillSettings: Sendable {
  let codec: any StillCodec
  /// What the codes stand for.
  let signal: DynamicRangeMix.Transfer
  let bits: Int
  let chroma: ChromaFormat
  /// In steps of the codec.
  let quantizer: Int
  /// Longest side of a small version in the file; nil for none.
  let thumbnail: Int?

  package init(
    codec: any StillCodec, signal: DynamicRangeMix.Transfer, bits: Int, chroma: ChromaFormat,
    quantizer: Int,
    thumbnail: Int?
  ) {
    (self.codec, self.signal, self.bits, self.chroma) = (codec, signal, bits, chroma)
    (self.quantizer, self.thumbnail) = (quantizer, thumbnail)
  }

  var isHDR: Bool { signal != .standard }

  /// The brightest light that the format holds, cd/m².
  package var peakNits: Double {
    switch signal {
    case .hlg: HLG.peakNits
    case .pq: PQ.peakNits
    case .standard: ReferenceWhite.nits
    }
  }

  var color: ColorCode {
    switch signal {
    case .hlg: .hlg
    case .pq: .pq
    case .standard: .displayP3
    }
  }

  package static func check(thumbnail: Int?) throws(WriteError) {
    if let thumbnail, !(16...1024).contains(thumbnail) {
      throw WriteError(
        .badSetting, "a thumbnail of \(thumbnail) pixels is outside 16…1024; 320 is usual")
    }
  }

  /// Throws when a picture is not in the primaries that the file holds.
  func check(_ info: DisplayReferred.Info) throws(WriteError) {
    let wanted: Primaries = isHDR ? .bt2020 : .displayP3
    guard info.primaries == wanted else {
      throw WriteError(
        .badSetting,
        "the picture is in \(info.primaries.rawValue), this \(codec.name) holds "
          + "\(wanted.rawValue); render it for these primaries")
    }
  }

  /// How a picture of this size and headroom becomes bits.
  func coding(_ size: PixelSize, headroom: Float) -> TileCoding {
    let chroma = TileGrid.chroma(chroma, of: size, codec)
    let encoding = PictureEncoding(
      transfer: signal,
      toneMapping: signal == .pq
        ? nil
        : BT2390(sourceNits: Double(headroom) * ReferenceWhite.nits, targetNits: peakNits),
      conversion: YCbCrConversion(matrix: isHDR ? .bt2020 : .bt601, bits: bits),
      siting: chroma == .yuv444 ? nil : isHDR ? .topLeft : .left)
    return TileCoding(
      codec: codec, encoding: encoding, bits: bits, chroma: chroma, quantizer: quantizer,
      color: color)
  }

  /// How bright the picture is and for which display it was made: HLG's own of 1000 cd/m², or for
  /// PQ one that reaches the headroom that the picture was rendered to, at least reference white.
  /// Nothing of an SDR picture.
  func light(_ statistics: ContentLightStatistics, headroom: Float) -> HDRMetadata {
    guard isHDR else { return HDRMetadata() }
    let rendered = max(Double(headroom), 1) * ReferenceWhite.nits
    let peak = signal == .hlg ? HLG.peakNits : min(rendered.rounded(), PQ.peakNits)
    return HDRMetadata(statistics, peakNits: peak)
  }
}
