import Codecs
import Formats
import HDRRender
import ImageCore

/// What one file's samples are: how light becomes numbers and how these are packed.
struct TIFFCoding: Sendable {
  /// How a sample is made.
  enum Sample: Sendable {
    /// 16-bit integer.
    case code(any RowEncoder)
    /// 32-bit float, the linear value itself.
    case float
  }

  let sample: Sample
  let profile: ICCProfile
  let compression: TIFFWriter.Compression
  /// Rolls off what the space is too dark for; nil where it is not.
  let toneMapping: BT2390?

  var sampleBytes: Int { if case .float = sample { 4 } else { 2 } }

  init(
    _ encoding: TIFFWriter.Encoding, _ compression: TIFFWriter.Compression, _ space: Primaries,
    headroom: Float = 1
  ) {
    self.compression = compression
    toneMapping =
      encoding == .integer16(.bt2100HLG)
      ? BT2390(
        sourceNits: Double(headroom) * ReferenceWhite.nits, targetNits: HLG.peakNits) : nil
    switch encoding {
    case .integer16(let target):
      profile = target.profile
      sample =
        switch target {
        case .displayP3, .sRGB: .code(PowerEncoder.sRGB)
        case .bt2020: .code(PowerEncoder.bt2020)
        case .linearBT2020: .code(LinearEncoder())
        case .bt2100PQ: .code(SignalEncoder.pq)
        case .bt2100HLG: .code(SignalEncoder.hlg)
        }
    case .linearFloat:
      profile = ICCProfile(linear: space)
      sample = .float
    }
  }
}

extension TIFFCoding {
  /// What a caller is told of light that the space could not hold.
  func notes(for statistics: ContentLightStatistics) -> [String] {
    if toneMapping != nil { return [BT2390.note(peakNits: HLG.peakNits)] }
    guard case .code = sample, statistics.contentHeadroom > 1.000_1,
      profile != .bt2100PQ, profile != .bt2100HLG
    else { return [] }
    return ["light above reference white was clipped; tiff-float or an HDR format holds it"]
  }
}

extension TIFFWriter.ColorSpace {
  var profile: ICCProfile {
    switch self {
    case .displayP3: .displayP3
    case .sRGB: .sRGB
    case .bt2020: .bt2020
    case .linearBT2020: .linearBT2020
    case .bt2100PQ: .bt2100PQ
    case .bt2100HLG: .bt2100HLG
    }
  }
}

extension TIFFCompression {
  /// The compressor of one worker; nil for none.
  func makeCompressor() throws(WriteError) -> (any BlockCompressor)? {
    try WriteError.encoding { () throws(CodecError) -> (any BlockCompressor)? in
      switch self {
      case .none: nil
      case .lzw: LZWCompressor()
      case .deflate(let level): try DeflateCompressor(level: level)
      case .zstd(let level): try ZstdCompressor(level: level)
      }
    }
  }

  /// Bytes that one byte can become, at worst.
  var worstGrowth: Double {
    switch self {
    case .none: 1
    case .lzw: 1.51
    case .deflate, .zstd: 1.01
    }
  }
}
