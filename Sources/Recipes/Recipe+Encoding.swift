public import Formats
public import HDRRender

extension OutputFormat {
  /// The kind of file.
  public var container: EncoderSettings.Container { coding.container }
  /// How light is coded, where no other setting decides.
  public var transfer: DynamicRangeMix.Transfer { coding.transfer }

  private var coding: (container: EncoderSettings.Container, transfer: DynamicRangeMix.Transfer) {
    switch self {
    case .heifHLG: (.heif, .hlg)
    case .heifPQ: (.heif, .pq)
    case .heifSDR, .heicGainMap: (.heif, .standard)
    case .tiff, .tiffFloat: (.tiff, .standard)
    case .png: (.png, .pq)
    case .pngHLG: (.png, .hlg)
    case .pngSDR: (.png, .standard)
    case .jpeg, .jpegGainMap: (.jpeg, .standard)
    case .jxl: (.jpegXL, .pq)
    case .jxlHLG: (.jpegXL, .hlg)
    case .jxlSDR: (.jpegXL, .standard)
    case .avif: (.avif, .pq)
    case .avifHLG: (.avif, .hlg)
    case .avifSDR, .avifGainMap: (.avif, .standard)
    }
  }
}

extension Recipe.Output {
  /// How light is coded; of an output with a gain map that of its base.
  public var transfer: DynamicRangeMix.Transfer {
    if format == .tiff { return tiffSpace.transfer }
    return format.hasGainMap ? gainMap.transfer : format.transfer
  }

  /// The same as settings of a writer.
  public var encoding: EncoderSettings {
    var settings = EncoderSettings(
      container: format.container, transfer: transfer, primaries: primaries, bits: bits,
      chroma: chroma == .yuv444 ? .yuv444 : .yuv420, quality: quality.map(Double.init),
      hasGainMap: format.hasGainMap)
    settings.mapKind = gainMap.channels == 3 ? .rgb : .luminance
    settings.mapScale = gainMap.scale ?? .half
    settings.thumbnail = thumbnail
    settings.isLinear = format == .tiff && tiffSpace == .linearBT2020
    settings.compression =
      switch tiffCompression {
      case .none: .none
      case .deflate: .deflate(level: 1)
      case .zstd: .zstd(level: 1)
      case .lzw: .lzw
      }
    return settings
  }

  private var bits: Int {
    switch (format.container, transfer) {
    case (.heif, .standard), (.avif, .standard): sdrBits ?? (format.hasGainMap ? 8 : 10)
    case (.heif, _): 10
    case (.avif, _): hdrBits ?? 10
    case (.jpeg, _): 8
    case (.png, .standard): sdrBits == 8 ? 8 : 16
    case (.png, _), (.jpegXL, _): 16
    case (.tiff, _): format == .tiffFloat ? 32 : 16
    }
  }
}
