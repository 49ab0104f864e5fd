import Formats
public import HDRRender
public import ImageCore

/// The files that a raw can be developed into. The raw value is the name on the command line.
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

  /// Extension of the file, without the dot.
  public var pathExtension: String {
    switch container {
    case .heif: "heic"
    case .jpeg: "jpg"
    case .tiff: "tif"
    case .png: "png"
    case .jpegXL: "jxl"
    case .avif: "avif"
    }
  }

  /// Whether the file holds two renditions: a standard one and a map to the high one.
  public var hasGainMap: Bool {
    [.jpegGainMap, .heicGainMap, .avifGainMap].contains(self)
  }

  /// Whether the file can hold a small version of its picture.
  public var holdsThumbnail: Bool { container == .heif || container == .avif }

  /// What the file can say of its light beside the pixels.
  public var lightFacts: Set<LightFact> {
    switch (container, transfer) {
    case (_, .standard): []
    case (.heif, _), (.avif, _): Set(LightFact.allCases)
    case (.png, _): [.contentLight, .masteringDisplay]
    default: []
    }
  }

  /// What `name` ends in, where the extension alone decides.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "heic", "heif", "hif": self = .heifHLG
    case "tif", "tiff": self = .tiff
    case "png": self = .png
    case "jpg", "jpeg": self = .jpegGainMap
    case "jxl": self = .jxl
    case "avif": self = .avif
    default: return nil
    }
  }

  /// The format for a file of this extension that keeps the range of `source`: standard range, PQ, HLG,
  /// and a gain map where the kind of file holds one.
  public init?(pathExtension: String, keeping source: DynamicRangeMix, hasGainMap: Bool = false) {
    guard let usual = OutputFormat(pathExtension: pathExtension) else { return nil }
    let kinds = Self.allCases.filter { $0.container == usual.container }
    let range = hasGainMap && source.transfer == .standard ? .pq : source.transfer
    self =
      kinds.first { hasGainMap && $0.hasGainMap }
      ?? kinds.first { !$0.hasGainMap && $0.transfer == range } ?? usual
  }
}

/// The colour space of a 16-bit TIFF. The raw value is the name on the command line.
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
  var transfer: DynamicRangeMix.Transfer {
    self == .bt2100PQ ? .pq : self == .bt2100HLG ? .hlg : .standard
  }
}

/// Chroma resolution of a HEIF, AVIF or JPEG. The raw value is the name on the command line.
public enum ChromaSampling: String, Sendable, Hashable, Codable, CaseIterable {
  /// Half the chroma in both directions.
  case yuv420 = "420"
  /// All of it.
  case yuv444 = "444"
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
}
