import HDRRender
public import ImageCore
import Writers

/// How a film is coded. Its init refuses what contradicts itself, so that a value can be coded.
public struct FilmSettings: Sendable, Hashable {
  /// How much of the frames the codec keeps.
  public enum Coding: Sendable, Hashable {
    /// 0…1, alike for all frames; 1 is lossless in HEVC.
    case quality(Double)
    /// Bits per second, on average over the film, which then is one segment and cannot be resumed.
    case bitRate(Int)
  }

  /// How frames are compressed.
  public let codec: FilmCodec
  /// The file.
  public let container: FilmContainer
  /// The transfer function.
  public let format: FilmFormat
  /// Primaries of the samples.
  public let primaries: Primaries
  /// Bits of a sample.
  public let bits: Int
  /// The resolution of chroma.
  public let chroma: FilmChroma
  /// Whether codes are in the full range; else 16…235 of 8 bits, which every player expects.
  public let isFullRange: Bool
  /// How much is kept.
  public let coding: Coding
  /// Mastering display, and content light levels in place of those that are measured; PQ only.
  public let metadata: HDRMetadata

  /// The usual quality.
  public static let usualQuality = 0.8
  /// Bits per second.
  public static let bitRates = 100_000...2_000_000_000

  /// Settings of `codec`; what is nil is the usual of codec and format. Throws where they
  /// contradict each other.
  public init(
    _ codec: FilmCodec, in container: FilmContainer, _ format: FilmFormat,
    primaries: Primaries? = nil, bits: Int? = nil, chroma: FilmChroma? = nil,
    isFullRange: Bool = false, coding: Coding = .quality(usualQuality),
    metadata: HDRMetadata = HDRMetadata()
  ) throws(FilmError) {
    let row = codec.row
    func refuse(_ message: String) -> FilmError { FilmError(.badSetting, message) }
    guard row.containers.contains(container) else {
      throw refuse(
        "\(row.name) is not written in .\(container.rawValue); name the film "
          + row.containers.map { "." + $0.rawValue }.joined(separator: " or "))
    }
    let depths = format == .sdr ? row.sdrBits : row.hdrBits
    guard let usual = depths.first else {
      throw refuse(
        "\(row.name) is written in SDR alone, and \(format.rawValue) is HDR; take hevc, av1 or a "
          + "ProRes")
    }
    self.bits = bits ?? usual
    guard depths.contains(self.bits) else {
      throw refuse(
        format != .sdr && self.bits < 10
          ? "HDR in \(self.bits) bits shows steps and is not written; take 10"
          : "\(row.name) in \(format.rawValue) takes \(Self.list(depths)) bits, not \(self.bits)")
    }
    self.chroma = chroma ?? row.chroma[0]
    guard row.chroma.contains(self.chroma) else {
      throw refuse(
        "\(row.name) is written with chroma \(Self.list(row.chroma.map(\.rawValue))), not "
          + "\(self.chroma.rawValue)")
    }
    guard self.bits == 10 || self.chroma == .yuv420 else {
      throw refuse("chroma \(self.chroma.rawValue) takes 10 bits; leave the bits to it")
    }
    guard !isFullRange || row.holdsFullRange else {
      throw refuse("\(row.name) holds the limited range alone; leave the range to it")
    }
    self.primaries = primaries ?? (format == .sdr ? .srgb : .bt2020)
    let known: [Primaries] = format == .sdr ? [.srgb, .displayP3] : [.bt2020, .displayP3]
    guard known.contains(self.primaries) else {
      throw refuse(
        "\(format.rawValue) is written in \(known.map(\.name).joined(separator: " or ")), not "
          + self.primaries.name)
    }
    guard format != .hlg || self.primaries == .bt2020 else {
      throw refuse("hybrid log-gamma is defined for BT.2020; take these primaries, or pq")
    }
    switch coding {
    case .quality(let quality):
      guard (0...1).contains(quality) else {
        throw refuse("the quality is \(quality); it is 0 to 1")
      }
    case .bitRate(let rate):
      guard row.holdsBitRate else {
        throw refuse("\(row.name) has the bit rate of its profile; give none")
      }
      guard Self.bitRates.contains(rate) else {
        throw refuse("the bit rate is \(rate); it is 100k to 2000M")
      }
    }
    guard format == .pq || metadata == HDRMetadata() else {
      throw refuse(
        "mastering display and content light levels belong to pq; \(format.rawValue) has none")
    }
    (self.codec, self.container, self.format) = (codec, container, format)
    (self.isFullRange, self.coding, self.metadata) = (isFullRange, coding, metadata)
  }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    values.map(\.description).joined(separator: " or ")
  }
}

extension FilmSettings {
  /// What code values mean. SDR has the curve of stills, sRGB's: what browsers, phones and
  /// computers show BT.709 by.
  var space: ColorSpace {
    switch format {
    case .hlg: .bt2100HLG
    case .pq: ColorSpace(primaries, .pq)
    case .sdr: ColorSpace(primaries, .sRGB)
    }
  }

  /// Whether code values reach above white.
  public var isHDR: Bool { format != .sdr }

  /// ColourPrimaries, TransferCharacteristics and MatrixCoefficients of ITU-T H.273.
  var codePoints: (primaries: Int, transfer: Int, matrix: VideoEncoding.Matrix) {
    let transfer =
      switch format {
      case .hlg: 18
      case .pq: 16
      case .sdr: 1
      }
    return (Int(primaries.codePoint), transfer, isHDR ? .bt2020 : .bt709)
  }

  /// The same as ffmpeg calls them.
  var names: (primaries: String, transfer: String, matrix: String) {
    let transfer =
      switch format {
      case .hlg: "arib-std-b67"
      case .pq: "smpte2084"
      case .sdr: "bt709"
      }
    let primaries =
      switch self.primaries {
      case .displayP3: "smpte432"
      case .srgb: "bt709"
      default: "bt2020"
      }
    return (primaries, transfer, isHDR ? "bt2020nc" : "bt709")
  }

  /// The frames as the encoder takes them.
  var pixelFormat: String {
    let chroma =
      switch self.chroma {
      case .yuv420: "yuv420p"
      case .yuv422: "yuv422p"
      case .yuv444: "yuv444p"
      }
    return chroma + (bits > 8 ? "10le" : "")
  }

  /// Whether the film is coded in segments, each of which is done once.
  public var isResumable: Bool {
    if case .bitRate = coding { false } else { true }
  }

  /// Whether every code value survives.
  var isLossless: Bool { coding == .quality(1) && !codec.row.isLossy }

  /// For people: `HEVC 10 bit 4:2:0, hlg, BT.2020`.
  public var description: String {
    let digits = chroma.rawValue.map(String.init).joined(separator: ":")
    return "\(codec.row.name) \(bits) bit \(digits), \(format.rawValue), \(primaries.name)"
      + (isFullRange ? ", full range" : "")
  }
}
