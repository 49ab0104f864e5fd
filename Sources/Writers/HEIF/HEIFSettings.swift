import HDRRender
import ImageCore

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

  /// How many colour differences are kept.
  public enum Chroma: Sendable, Hashable {
    /// One of each for four pixels; what hardware decoders take.
    case yuv420
    /// One of each for every pixel.
    case yuv444
  }

  /// How a picture is written.
  public struct Settings: Sendable, Hashable {
    /// What the codes stand for.
    public let kind: Kind
    /// How many colour differences are kept.
    public let chroma: Chroma
    /// 0…1, see ``init(kind:chroma:quality:thumbnail:)``.
    public let quality: Double
    /// Longest side of a small version in the file; nil for none.
    public let thumbnail: Int?

    /// The quality that keeps luma within 49 dB of the picture, noise included.
    public static let defaultQuality = 0.75

    /// Settings for `kind`. `quality` runs from 0 (smallest file) to 1 (quantiser steps of about two
    /// 10-bit codes); a step of 1/48 changes the quantiser by one, the file by 10–15 %.
    /// Throws when quality is outside 0…1, SDR has other than 8 or 10 bits, or a thumbnail is outside
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
      if let thumbnail, !(16...1024).contains(thumbnail) {
        throw WriteError(
          .badSetting, "a thumbnail of \(thumbnail) pixels is outside 16…1024; 320 is usual")
      }
      (self.kind, self.chroma, self.quality) = (kind, chroma, quality)
      self.thumbnail = thumbnail
    }

    /// H.265 quantisation parameter, 0…48.
    var quantiser: Int { Self.quantiser(quality: quality) }

    static func quantiser(quality: Double) -> Int { Int(((1 - quality) * 48).rounded()) }

    var bits: Int { if case .sdr(let bits) = kind { bits } else { 10 } }

    var isHDR: Bool { if case .sdr = kind { false } else { true } }

    /// The brightest light that the format holds, cd/m².
    var peakNits: Double {
      switch kind {
      case .hlg: HLG.peakNits
      case .pq: PQ.peakNits
      case .sdr: ReferenceWhite.nits
      }
    }

    var color: ColorCode {
      switch kind {
      case .hlg: .hlg
      case .pq: .pq
      case .sdr: .displayP3
      }
    }

    /// 8-bit Main is the one profile that every HEIC reader has; all else is announced as `heix`.
    var brand: String { bits == 8 && chroma == .yuv420 ? "heic" : "heix" }
  }
}

extension HEIFWriter.Settings {
  /// Throws when a picture is not in the primaries that the file holds.
  func check(_ info: DisplayReferred.Info) throws(WriteError) {
    let wanted: Primaries = isHDR ? .bt2020 : .displayP3
    guard info.primaries == wanted else {
      throw WriteError(
        .badSetting,
        "the picture is in \(info.primaries.rawValue), this HEIF holds \(wanted.rawValue); render "
          + "it for these primaries")
    }
  }

  /// How a picture of this headroom becomes bits.
  func coding(headroom: Float) -> TileCoding {
    let transfer: PictureEncoding.Transfer =
      switch kind {
      case .hlg: .hlg
      case .pq: .pq
      case .sdr: .sdr
      }
    let encoding = PictureEncoding(
      transfer: transfer,
      toneMapping: kind == .pq
        ? nil
        : BT2390(sourceNits: Double(headroom) * ReferenceWhite.nits, targetNits: peakNits),
      conversion: YCbCrConversion(matrix: isHDR ? .bt2020 : .bt601, bits: bits),
      siting: chroma == .yuv444 ? nil : isHDR ? .topLeft : .left)
    return TileCoding(
      encoding: encoding, bits: bits, chroma: chroma.format, quantiser: quantiser, color: color)
  }

  /// How bright the picture is and for which display it was made: HLG's own of 1000 cd/m², or for PQ
  /// one that reaches the headroom that the picture was rendered to, at least reference white.
  /// Nothing of an SDR picture.
  func light(_ statistics: LightStatistics, headroom: Float) -> LightMetadata {
    guard isHDR else { return LightMetadata() }
    let rendered = max(Double(headroom), 1) * ReferenceWhite.nits
    let peak = kind == .hlg ? HLG.peakNits : min(rendered.rounded(), PQ.peakNits)
    return LightMetadata(statistics, peakNits: peak)
  }
}
