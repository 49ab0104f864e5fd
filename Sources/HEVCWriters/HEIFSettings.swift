import Codecs
public import Formats
import HDRRender
import Writers

extension HEIFWriter {
  /// What the codes of the file stand for.
  public enum Kind: Sendable, Hashable {
    /// BT.2100 hybrid log-gamma for a display of 1000 cd/m², 10 bits, BT.2020.
    case hlg
    /// BT.2100 perceptual quantizer, 10 bits, BT.2020.
    case pq
    /// Display P3 with the sRGB curve, 8 or 10 bits.
    case sdr(bits: Int)
  }

  /// How many color differences are kept.
  public typealias Chroma = ChromaSubsampling

  /// How a picture is written.
  public struct Settings: Sendable, Hashable {
    /// What the codes stand for.
    public let kind: Kind
    /// How many color differences are kept.
    public let chroma: Chroma
    /// 0…1, see ``init(kind:chroma:quality:thumbnail:)``.
    public let quality: Double
    /// Longest side of a small version in the file; nil for none.
    public let thumbnail: Int?

    /// The quality that keeps luma within 49 dB of the picture, noise included.
    public static let defaultQuality = 0.75

    /// Settings for `kind`. `quality` runs from 0 (smallest file) to 1 (quantizer steps of about
    /// two 10-bit codes); a step of 1/48 changes the quantizer by one, the file by 10–15 %. Throws
    /// when quality is outside 0…1, SDR has other than 8 or 10 bits, or a thumbnail is outside
    /// 16…1024.
    public init(
      kind: Kind, chroma: Chroma = .yuv420, quality: Double = defaultQuality,
      thumbnail: Int? = nil
    ) throws(WriteError) {
      guard quality >= 0, quality <= 1 else {
        throw WriteError(.badSetting, "HEIF quality \(quality) is outside 0…1; 0.75 is usual")
      }
      if case .sdr(let bits) = kind, bits != 8, bits != 10 {
        throw WriteError(.badSetting, "an SDR HEIF has 8 or 10 bits, not \(bits)")
      }
      try StillSettings.check(thumbnail: thumbnail)
      (self.kind, self.chroma, self.quality) = (kind, chroma, quality)
      self.thumbnail = thumbnail
    }

    /// H.265 quantization parameter, 0…48.
    package static func quantizer(quality: Double) -> Int { Int(((1 - quality) * 48).rounded()) }

    var still: StillSettings {
      let (signal, bits): (DynamicRangeMix.Transfer, Int) =
        switch kind {
        case .hlg: (.hlg, 10)
        case .pq: (.pq, 10)
        case .sdr(let bits): (.standard, bits)
        }
      return StillSettings(
        codec: HEVCStillCodec(), signal: signal, bits: bits, chroma: chroma.format,
        quantizer: Self.quantizer(quality: quality), thumbnail: thumbnail)
    }
  }
}
