public import Formats
public import HDRRender
public import ImageCore

/// The files that a picture can be written as. The raw value is the name in recipes and on the
/// command line. A format is a case and its row in ``descriptor``; what its kind of file can hold
/// stands in `ContainerDescriptor`.
public enum OutputFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// 10-bit HEIF, BT.2100 HLG.
  case heifHLG = "heif-hlg"
  /// 10-bit HEIF, BT.2100 PQ.
  case heifPQ = "heif-pq"
  /// HEIF in Display P3, standard dynamic range.
  case heifSDR = "heif-sdr"
  /// 16-bit TIFF with an ICC profile.
  case tiff
  /// 32-bit float TIFF, linear BT.2020, 1.0 = reference white.
  case tiffFloat = "tiff-float"
  /// 16-bit PNG, BT.2100 PQ.
  case png
  /// 16-bit PNG, BT.2100 HLG.
  case pngHLG = "png-hlg"
  /// PNG of 8 or 16 bits in Display P3, standard dynamic range.
  case pngSDR = "png-sdr"
  /// JPEG in Display P3, standard dynamic range.
  case jpeg
  /// JPEG in Display P3 with a gain map: Ultra HDR, ISO 21496-1 and Apple's in one.
  case jpegGainMap = "jpeg-gainmap"
  /// 8-bit HEIF in Display P3 with a gain map: ISO 21496-1 and Apple's in one.
  case heicGainMap = "heic-gainmap"
  /// JPEG XL, BT.2100 PQ.
  case jxl
  /// JPEG XL, BT.2100 HLG.
  case jxlHLG = "jxl-hlg"
  /// JPEG XL in Display P3, standard dynamic range.
  case jxlSDR = "jxl-sdr"
  /// AVIF of 10 or 12 bits, BT.2100 PQ.
  case avif
  /// AVIF of 10 or 12 bits, BT.2100 HLG.
  case avifHLG = "avif-hlg"
  /// AVIF of 8 or 10 bits in Display P3, standard dynamic range.
  case avifSDR = "avif-sdr"
  /// AVIF of 8 or 10 bits in Display P3 with a gain map (ISO 21496-1).
  case avifGainMap = "avif-gainmap"

  /// Of what kind the file is, and what its samples stand for.
  public struct Descriptor: Sendable, Hashable {
    /// The kind of file.
    public let container: EncoderSettings.Container
    /// How light is coded, where no other setting decides; of a file with a gain map that of its
    /// base.
    public let transfer: DynamicRangeMix.Transfer
    /// Whether the file holds two renditions: a standard one and a map to the high one.
    public let hasGainMap: Bool
    /// Whether samples are floats, linear light without a bound.
    public let isFloat: Bool
    /// Whether an extension of this kind of file stands for this format.
    public let isUsual: Bool

    fileprivate init(
      _ container: EncoderSettings.Container, _ transfer: DynamicRangeMix.Transfer,
      hasGainMap: Bool = false, isFloat: Bool = false, isUsual: Bool = false
    ) {
      (self.container, self.transfer, self.hasGainMap) = (container, transfer, hasGainMap)
      (self.isFloat, self.isUsual) = (isFloat, isUsual)
    }
  }

  /// The table of formats.
  public var descriptor: Descriptor {
    switch self {
    case .heifHLG: Descriptor(.heif, .hlg, isUsual: true)
    case .heifPQ: Descriptor(.heif, .pq)
    case .heifSDR: Descriptor(.heif, .standard)
    case .heicGainMap: Descriptor(.heif, .standard, hasGainMap: true)
    case .tiff: Descriptor(.tiff, .standard, isUsual: true)
    case .tiffFloat: Descriptor(.tiff, .standard, isFloat: true)
    case .png: Descriptor(.png, .pq, isUsual: true)
    case .pngHLG: Descriptor(.png, .hlg)
    case .pngSDR: Descriptor(.png, .standard)
    case .jpeg: Descriptor(.jpeg, .standard)
    case .jpegGainMap: Descriptor(.jpeg, .standard, hasGainMap: true, isUsual: true)
    case .jxl: Descriptor(.jpegXL, .pq, isUsual: true)
    case .jxlHLG: Descriptor(.jpegXL, .hlg)
    case .jxlSDR: Descriptor(.jpegXL, .standard)
    case .avif: Descriptor(.avif, .pq, isUsual: true)
    case .avifHLG: Descriptor(.avif, .hlg)
    case .avifSDR: Descriptor(.avif, .standard)
    case .avifGainMap: Descriptor(.avif, .standard, hasGainMap: true)
    }
  }

  /// The kind of file.
  public var container: EncoderSettings.Container { descriptor.container }
  /// How light is coded, where no other setting decides.
  public var transfer: DynamicRangeMix.Transfer { descriptor.transfer }
  /// Whether the file holds two renditions: a standard one and a map to the high one.
  public var hasGainMap: Bool { descriptor.hasGainMap }
  /// Extension of the file, without the dot.
  public var pathExtension: String { container.descriptor.extensions[0] }
  /// Whether the file can hold a small version of its picture.
  public var holdsThumbnail: Bool { container.descriptor.holdsThumbnail }
  /// What the file can say of its light beside the pixels.
  public var lightFacts: Set<HDRMetadataField> {
    transfer == .standard ? [] : container.descriptor.lightFacts
  }

  /// What `name` ends in, where the extension alone decides.
  public init?(pathExtension: String) {
    let usual = Self.allCases.first {
      $0.descriptor.isUsual
        && $0.container.descriptor.extensions.contains(pathExtension.lowercased())
    }
    guard let usual else { return nil }
    self = usual
  }

  /// The format for a file of this extension that keeps the range of `source`: standard range, PQ,
  /// HLG, and a gain map where the kind of file holds one.
  public init?(pathExtension: String, keeping source: DynamicRangeMix, hasGainMap: Bool = false) {
    guard let usual = OutputFormat(pathExtension: pathExtension) else { return nil }
    let kinds = Self.allCases.filter { $0.container == usual.container }
    let range = hasGainMap && source.transfer == .standard ? .pq : source.transfer
    self =
      kinds.first { hasGainMap && $0.hasGainMap }
      ?? kinds.first { !$0.hasGainMap && $0.transfer == range } ?? usual
  }

  /// The usual extension of each kind of file that an extension stands for, in alphabetical order.
  public static let usualExtensions = allCases.filter(\.descriptor.isUsual).map(\.pathExtension)
    .sorted()
}

/// The color space of a 16-bit TIFF. The raw value is the name on the command line.
public enum TIFFSpace: String, Sendable, Hashable, Codable, CaseIterable {
  /// Display P3.
  case displayP3 = "display-p3"
  /// sRGB.
  case srgb
  /// BT.2020 with its own transfer function.
  case bt2020
  /// BT.2020, linear.
  case linearBT2020 = "linear-bt2020"
  /// BT.2100 PQ.
  case bt2100PQ = "bt2100-pq"
  /// BT.2100 HLG.
  case bt2100HLG = "bt2100-hlg"

  /// Whether values above reference white can be stored.
  public var isHDR: Bool { transfer != .standard }
  /// The primaries of its three channels.
  public var primaries: Primaries {
    switch self {
    case .displayP3: .displayP3
    case .srgb: .srgb
    default: .bt2020
    }
  }
  /// How light is coded.
  public var transfer: DynamicRangeMix.Transfer {
    self == .bt2100PQ ? .pq : self == .bt2100HLG ? .hlg : .standard
  }
}

/// Compression of a TIFF; all are lossless. The raw value is the name on the command line.
public enum TIFFCompressionChoice: String, Sendable, Hashable, Codable, CaseIterable {
  /// None: largest and fastest.
  case none
  /// Deflate with predictor: read everywhere.
  case deflate
  /// Zstandard with predictor: fast, read by libtiff-based programs.
  case zstd
  /// LZW with predictor: old and widely read.
  case lzw

  /// The same with its level: the first, which is the best choice for photographs.
  var compression: TIFFCompression {
    switch self {
    case .none: .none
    case .deflate: .deflate(level: 1)
    case .zstd: .zstd(level: 1)
    case .lzw: .lzw
    }
  }
}
