import Codecs
public import Formats
import HDRRender
import ImageCore

extension AVIFWriter {
  /// What the codes of the file stand for.
  public enum Kind: Sendable, Hashable {
    /// BT.2100 hybrid log-gamma for a display of 1000 cd/m², 10 or 12 bits, BT.2020.
    case hlg(bits: Int = 10)
    /// BT.2100 perceptual quantizer, 10 or 12 bits, BT.2020.
    case pq(bits: Int = 10)
    /// Display P3 with the sRGB curve, 8 or 10 bits.
    case sdr(bits: Int)
  }

  /// How many color differences are kept.
  public typealias Chroma = ChromaSubsampling

  /// How a picture is written.
  public struct Settings: Sendable, Hashable {
    /// What the codes stand for.
    public let kind: Kind
    /// How many color differences are kept. A picture of odd size and more than 1024 pixels a side
    /// keeps all: readers refuse it otherwise.
    public let chroma: Chroma
    /// 0…1, see ``init(kind:chroma:quality:speed:thumbnail:)``.
    public let quality: Double
    /// 0…9, of libaom.
    public let speed: Int
    /// Longest side of a small version in the file; nil for none.
    public let thumbnail: Int?

    /// The quality that keeps luma as near to the picture as the default of a HEIF, in 10–20 %
    /// fewer bytes.
    public static let defaultQuality = 0.75
    /// Files of 3–5 % more than at speed 6, which takes twice the time, and of 3–12 % less than at
    /// 9, which takes a fifth. Speed 8 of libaom 3.6 makes larger files than 7 and 9 of fine
    /// detail.
    public static let defaultSpeed = 7

    /// Settings for `kind`. `quality` runs from 0 (smallest file) to 1 (quantizer steps of about
    /// two 10-bit codes); below 1 luma is as near to the picture as in a HEIF of this quality.
    /// Throws when quality is outside 0…1, speed outside 0…9, a thumbnail outside 16…1024, or the
    /// bits are none of the kind's.
    public init(
      kind: Kind, chroma: Chroma = .yuv420, quality: Double = defaultQuality,
      speed: Int = defaultSpeed, thumbnail: Int? = nil
    ) throws(WriteError) {
      guard quality >= 0, quality <= 1 else {
        throw WriteError(.badSetting, "AVIF quality \(quality) is outside 0…1; 0.75 is usual")
      }
      guard (0...9).contains(speed) else {
        throw WriteError(.badSetting, "AVIF speed \(speed) is outside 0…9; 7 is usual")
      }
      try StillSettings.check(thumbnail: thumbnail)
      (self.kind, self.chroma, self.quality, self.speed) = (kind, chroma, quality, speed)
      self.thumbnail = thumbnail
      guard kind.depths.contains(still.bits) else {
        throw WriteError(
          .badSetting,
          "an \(still.isHDR ? "HDR" : "SDR") AVIF has \(kind.depths[0]) or \(kind.depths[1]) bits, "
            + "not \(still.bits)")
      }
    }

    /// libaom's quantizers that gave two photographs (PQ, 10 bits, speed 7) the PSNR of luma that a
    /// HEIF of the same quality has; the two agreed within 3 %. 0 would switch to lossless coding.
    private static let quantizers: [(quality: Double, quantizer: Double)] = [
      (0, 56), (0.15, 50), (0.3, 38), (0.4, 30), (0.5, 20), (0.65, 9.6), (0.75, 6), (0.85, 3.7),
      (0.95, 2.4), (1, 1),
    ]

    /// libaom's quantizer for a quality of 0…1, on the line between its neighbors in the table.
    package static func quantizer(quality: Double) -> Int {
      var below = quantizers[0]
      for next in quantizers.dropFirst() {
        if quality <= next.quality {
          let share = (quality - below.quality) / (next.quality - below.quality)
          return Int((below.quantizer + share * (next.quantizer - below.quantizer)).rounded())
        }
        below = next
      }
      return 1
    }

    var still: StillSettings {
      let (signal, bits): (DynamicRangeMix.Transfer, Int) =
        switch kind {
        case .hlg(let bits): (.hlg, bits)
        case .pq(let bits): (.pq, bits)
        case .sdr(let bits): (.standard, bits)
        }
      return StillSettings(
        codec: AV1StillCodec(speed: speed), signal: signal, bits: bits, chroma: chroma.format,
        quantizer: Self.quantizer(quality: quality), thumbnail: thumbnail)
    }
  }
}

extension AVIFWriter.Kind {
  fileprivate var depths: [Int] { if case .sdr = self { [8, 10] } else { [10, 12] } }
}
