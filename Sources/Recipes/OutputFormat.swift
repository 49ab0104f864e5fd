public import Formats
public import HDRRender
import ImageCore

/// The formats that a picture can be written in. The raw value is the name in recipes and on the
/// command line. A format is a case and its row in ``descriptor``; the capabilities of its
/// container are in `ContainerDescriptor`.
public enum OutputFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// 10-bit HEIF, BT.2100 HLG.
  case heifHLG = "heif-hlg"
  /// 10-bit HEIF, BT.2100 PQ.
  case heifPQ = "heif-pq"
  /// HEIF, standard dynamic range.
  case heifSDR = "heif-sdr"
  /// TIFF of 8 or 16 bits with an ICC profile.
  case tiff
  /// TIFF of 32-bit floats, or of 16-bit ones, linear, 1.0 = reference white.
  case tiffFloat = "tiff-float"
  /// OpenEXR of 16-bit floats, or of 32-bit ones, the same values.
  case exr
  /// Array of NumPy of 32-bit floats, or of 16-bit ones, the same values.
  case npy
  /// Planes of red, green and blue without a header, the same numbers.
  case planes
  /// 16-bit PNG, BT.2100 PQ.
  case png
  /// 16-bit PNG, BT.2100 HLG.
  case pngHLG = "png-hlg"
  /// PNG of 8 or 16 bits, standard dynamic range.
  case pngSDR = "png-sdr"
  /// JPEG, standard dynamic range.
  case jpeg = "jpeg-sdr"
  /// JPEG with a gain map in three formats: Ultra HDR, ISO 21496-1 and Apple's.
  case jpegGainMap = "jpeg-gainmap"
  /// 8-bit HEIF with a gain map in two formats: ISO 21496-1 and Apple's.
  case heicGainMap = "heic-gainmap"
  /// JPEG XL, BT.2100 PQ.
  case jxl
  /// JPEG XL, BT.2100 HLG.
  case jxlHLG = "jxl-hlg"
  /// JPEG XL, standard dynamic range.
  case jxlSDR = "jxl-sdr"
  /// JPEG XL with a gain map (ISO 21496-1).
  case jxlGainMap = "jxl-gainmap"
  /// AVIF of 10 or 12 bits, BT.2100 PQ.
  case avif
  /// AVIF of 10 or 12 bits, BT.2100 HLG.
  case avifHLG = "avif-hlg"
  /// AVIF of 8 or 10 bits, standard dynamic range.
  case avifSDR = "avif-sdr"
  /// AVIF of 8 or 10 bits with a gain map (ISO 21496-1).
  case avifGainMap = "avif-gainmap"
  /// A raw as DNG, not developed.
  case dng

  /// Container and coding of a format.
  public struct Descriptor: Sendable, Hashable {
    /// The container.
    public let container: EncoderSettings.Container
    /// Transfer function, where no other setting decides; with a gain map, of its base.
    public let transfer: DynamicRangeMix.Transfer
    /// Whether the file holds an SDR rendition and a gain map to the HDR one.
    public var hasGainMap = false
    /// Whether samples are floating point: linear, unbounded.
    public var isFloat = false
    /// Whether this is the format for the container's extensions, where only these decide.
    public var isUsual = false
  }

  /// The table of formats.
  public var descriptor: Descriptor {
    switch self {
    case .heifHLG: Descriptor(container: .heif, transfer: .hlg, isUsual: true)
    case .heifPQ: Descriptor(container: .heif, transfer: .pq)
    case .heifSDR: Descriptor(container: .heif, transfer: .standard)
    case .heicGainMap: Descriptor(container: .heif, transfer: .standard, hasGainMap: true)
    case .tiff: Descriptor(container: .tiff, transfer: .standard, isUsual: true)
    case .tiffFloat: Descriptor(container: .tiff, transfer: .standard, isFloat: true)
    case .exr: Descriptor(container: .exr, transfer: .standard, isFloat: true, isUsual: true)
    case .npy: Descriptor(container: .npy, transfer: .standard, isFloat: true, isUsual: true)
    case .planes: Descriptor(container: .planes, transfer: .standard, isFloat: true, isUsual: true)
    case .png: Descriptor(container: .png, transfer: .pq, isUsual: true)
    case .pngHLG: Descriptor(container: .png, transfer: .hlg)
    case .pngSDR: Descriptor(container: .png, transfer: .standard)
    case .jpeg: Descriptor(container: .jpeg, transfer: .standard)
    case .jpegGainMap:
      Descriptor(container: .jpeg, transfer: .standard, hasGainMap: true, isUsual: true)
    case .jxl: Descriptor(container: .jpegXL, transfer: .pq, isUsual: true)
    case .jxlHLG: Descriptor(container: .jpegXL, transfer: .hlg)
    case .jxlSDR: Descriptor(container: .jpegXL, transfer: .standard)
    case .jxlGainMap: Descriptor(container: .jpegXL, transfer: .standard, hasGainMap: true)
    case .avif: Descriptor(container: .avif, transfer: .pq, isUsual: true)
    case .avifHLG: Descriptor(container: .avif, transfer: .hlg)
    case .avifSDR: Descriptor(container: .avif, transfer: .standard)
    case .avifGainMap: Descriptor(container: .avif, transfer: .standard, hasGainMap: true)
    case .dng: Descriptor(container: .dng, transfer: .standard, isUsual: true)
    }
  }

  /// The container.
  public var container: EncoderSettings.Container { descriptor.container }
  /// Transfer function, where no other setting decides; with a gain map, of its base.
  public var transfer: DynamicRangeMix.Transfer { descriptor.transfer }
  /// Whether the file holds an SDR rendition and a gain map to the HDR one.
  public var hasGainMap: Bool { descriptor.hasGainMap }
  /// Whether the file holds a developed picture; a DNG holds a raw.
  public var isDeveloped: Bool { container != .dng }
  /// How it stores the alpha of a picture that has one; nil where it cannot.
  package var alphaForm: AlphaForm? {
    let row = container.descriptor
    return hasGainMap ? nil : descriptor.isFloat ? row.floatAlpha : row.alpha
  }
  /// Whether HDR output has a choice of bit depths.
  package var hasHDRDepths: Bool {
    transfer != .standard && container.descriptor.hdrBits.count > 1
  }
  /// The format of the same container without a gain map, for a base in `transfer`.
  package func withoutGainMap(_ transfer: DynamicRangeMix.Transfer) -> OutputFormat {
    Self.allCases.first {
      $0.container == container && !$0.hasGainMap && $0.transfer == transfer
        && !$0.descriptor.isFloat
    } ?? self
  }
  /// Extension of the file, without the dot.
  public var pathExtension: String { container.descriptor.extensions[0] }
  /// Whether the file can hold a thumbnail.
  public var holdsThumbnail: Bool { container.descriptor.holdsThumbnail }
  /// The HDR metadata that the file can hold.
  public var hdrMetadataFields: Set<HDRMetadataField> {
    transfer == .standard ? [] : container.descriptor.hdrMetadataFields
  }

  /// The usual format of files with this extension, in any case; nil for an unknown one.
  public init?(pathExtension: String) {
    let usual = Self.allCases.first {
      $0.descriptor.isUsual
        && $0.container.descriptor.extensions.contains(pathExtension.lowercased())
    }
    guard let usual else { return nil }
    self = usual
  }

  /// The format for a file of this extension that preserves the dynamic range of `source`: SDR, PQ,
  /// HLG, and a gain map where the container holds one; nil for an unknown extension.
  public init?(pathExtension: String, keeping source: DynamicRangeMix, hasGainMap: Bool = false) {
    guard let usual = OutputFormat(pathExtension: pathExtension) else { return nil }
    let formats = Self.allCases.filter { $0.container == usual.container }
    let range = hasGainMap && source.transfer == .standard ? .pq : source.transfer
    self =
      formats.first { hasGainMap && $0.hasGainMap }
      ?? formats.first { !$0.hasGainMap && $0.transfer == range } ?? usual
  }

  /// The usual extension of each container, in alphabetical order.
  public static let usualExtensions = allCases.filter(\.descriptor.isUsual).map(\.pathExtension)
    .sorted()
}

/// Compression of a TIFF; all are lossless. The raw value is the name on the command line.
public enum TIFFCompressionChoice: String, Sendable, Hashable, Codable, CaseIterable {
  /// None: largest and fastest.
  case none
  /// Deflate with predictor: read by all programs.
  case deflate
  /// Zstandard with predictor: fast, read by programs based on libtiff.
  case zstd
  /// LZW with predictor: read by nearly all programs, also by old ones.
  case lzw

  /// The same for the writer, at level 1: photographs do not get smaller at higher levels.
  var compression: TIFFCompression {
    switch self {
    case .none: .none
    case .deflate: .deflate(level: 1)
    case .zstd: .zstd(level: 1)
    case .lzw: .lzw
    }
  }
}
