import Codecs
import Formats
import HDRRender
import ImageCore

/// How one file's samples are encoded and compressed.
struct TIFFCoding: Sendable {
  /// How a sample is encoded.
  enum Sample: Sendable {
    /// 16-bit integer.
    case code(any RowEncoder)
    /// 8-bit integer.
    case byte(any RowEncoder)
    /// 32-bit float, the linear value itself.
    case float
    /// 16-bit float.
    case half
  }

  let sample: Sample
  let space: SampleSpace
  let compression: TIFFCompression
  /// Whether one channel of integers is written, of pictures whose three are alike.
  let isGray: Bool
  /// Rolls off highlights above the peak of HLG; nil without any, and for other spaces.
  let toneMapping: BT2390?

  var sampleBytes: Int {
    switch sample {
    case .byte: 1
    case .code, .half: 2
    case .float: 4
    }
  }

  var isFloat: Bool {
    switch sample {
    case .byte, .code: false
    case .float, .half: true
    }
  }

  /// Samples of `space`, which for floats is the linear one of the picture.
  init(
    _ settings: EncoderSettings, _ space: SampleSpace, headroom: Float = 1, isGray: Bool = false
  ) {
    (self.space, compression) = (space, settings.compression)
    self.isGray = isGray && !settings.isFloat && space.profile == nil
    sample =
      switch (settings.isFloat, settings.bits) {
      case (true, 16): .half
      case (true, _): .float
      case (false, 8): .byte(space.rowEncoder)
      case (false, _): .code(space.rowEncoder)
      }
    let target = self.space.colorSpace
    toneMapping = target == .bt2100HLG ? target.toneMapping(headroom: headroom) : nil
  }
}

extension TIFFCoding {
  /// Notes on values that the color space could not hold.
  func notes(for statistics: ContentLightStatistics) -> [String] {
    if toneMapping != nil { return [BT2390.note(peakNits: HLG.peakNits)] }
    return isFloat ? [] : statistics.clippingNotes(in: space.colorSpace)
  }
}

extension TIFFCompression {
  /// A compressor for one thread; nil for none.
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

  /// Worst-case expansion factor.
  var worstGrowth: Double {
    switch self {
    case .none: 1
    case .lzw: 1.51
    case .deflate, .zstd: 1.01
    }
  }
}
