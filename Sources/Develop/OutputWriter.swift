import HDRRender
import ImageCore
import Writers

/// A finished picture on its way into a file, in the primaries of the output.
struct FinishedPicture: Sendable {
  /// The picture; for outputs with a gain map the high rendition.
  var picture: any PixelSource<DisplayReferred>
  /// The standard rendition, for outputs with a gain map.
  var standard: (any PixelSource<DisplayReferred>)?
  /// The map between the two, when it is known; nil to make it from them.
  var gainMap: StoredGainMap?
  /// What is known of its light from elsewhere; what the output says goes first.
  var light = LightMetadata()
}

/// Writes finished pictures as an output says.
struct OutputWriter: Sendable {
  let output: Recipe.Output
  let workers: Int

  func write(
    _ finished: FinishedPicture, metadata: CaptureMetadata, to path: String
  ) throws -> WrittenFile {
    let picture = finished.picture
    let light = output.light.filled(from: finished.light)
    switch output.format {
    case .heifHLG, .heifPQ, .heifSDR:
      return try HEIFWriter(heifSettings, workers: workers)
        .write(picture, metadata: metadata, light: light, to: path)
    case .tiff, .tiffFloat:
      let encoding: TIFFWriter.Encoding =
        output.format == .tiffFloat ? .linearFloat : .integer16(output.tiffSpace.colorSpace)
      return try TIFFWriter(
        encoding: encoding, compression: output.tiffCompression.compression, workers: workers
      ).write(picture, metadata: metadata, to: path)
    case .png, .pngHLG, .pngSDR:
      return try PNGPictureWriter(pngSpace, workers: workers)
        .write(picture, metadata: metadata, light: light, to: path)
    case .jxl, .jxlHLG, .jxlSDR:
      let kind: JPEGXLWriter.Kind =
        output.format == .jxl ? .pq : output.format == .jxlHLG ? .hlg : .displayP3
      // As cjxl turns its quality into a distance.
      let distance = output.quality.map { $0 == 1 ? 0 : 0.1 + (1 - $0) * 9 }
      return try JPEGXLWriter(
        kind, distance: distance ?? JPEGXLWriter.defaultDistance, workers: workers
      ).write(picture, metadata: metadata, to: path)
    case .jpeg:
      return try JPEGWriter(jpegSettings, workers: workers)
        .write(picture, metadata: metadata, to: path)
    case .jpegGainMap:
      let (base, map, light) = try baseAndMap(finished)
      return try GainMapJPEGWriter(.init(base: jpegSettings), workers: workers)
        .write(base, gainMap: map, metadata: metadata, to: path).measured(light)
    case .heicGainMap:
      let (base, map, light) = try baseAndMap(finished)
      return try GainMapHEIFWriter(.init(base: heifSettings), workers: workers)
        .write(base, gainMap: map, metadata: metadata, to: path).measured(light)
    case .avif, .avifHLG, .avifSDR:
      return try AVIFWriter(avifSettings, workers: workers)
        .write(picture, metadata: metadata, light: light, to: path)
    case .avifGainMap:
      let (base, map, light) = try baseAndMap(finished)
      return try GainMapAVIFWriter(.init(base: avifSettings), workers: workers)
        .write(base, gainMap: map, metadata: metadata, to: path).measured(light)
    }
  }

  /// The picture that comes first, the map to the other one, and the light of the high rendition when it
  /// was measured.
  private func baseAndMap(
    _ finished: FinishedPicture
  ) throws -> (any PixelSource<DisplayReferred>, StoredGainMap, LightStatistics?) {
    let standard = finished.standard ?? finished.picture
    if let map = finished.gainMap { return (standard, map, nil) }
    let choice = output.gainMap
    // Readers of Apple's form know no offsets: small ones halve the error that they see.
    let created = try GainMapCreation(
      kind: choice.channels == 3 ? .rgb : .luminance, scale: choice.scale ?? .half,
      offset: 1.0 / 1024, isBaseHDR: choice.isBaseHDR
    ).map(from: standard, to: finished.picture, workers: workers)
    let (base, other) =
      choice.isBaseHDR ? (finished.picture, standard) : (standard, finished.picture)
    return (
      base, StoredGainMap(created, alternatePrimaries: other.info.primaries), created.highLight
    )
  }

  private var heifSettings: HEIFWriter.Settings {
    get throws {
      let kind: HEIFWriter.Kind =
        switch output.format {
        case .heifHLG: .hlg
        case .heifPQ: .pq
        case .heicGainMap where output.gainMap.base == .pq: .pq
        case .heicGainMap where output.gainMap.base == .hlg: .hlg
        case .heicGainMap: .sdr(bits: output.sdrBits ?? 8)
        default: .sdr(bits: output.sdrBits ?? 10)
        }
      return try HEIFWriter.Settings(
        kind: kind, chroma: output.chroma == .yuv444 ? .yuv444 : .yuv420,
        quality: output.quality.map(Double.init) ?? HEIFWriter.Settings.defaultQuality,
        thumbnail: output.thumbnail)
    }
  }

  private var avifSettings: AVIFWriter.Settings {
    get throws {
      let kind: AVIFWriter.Kind =
        switch output.format {
        case .avif: .pq(bits: output.hdrBits ?? 10)
        case .avifHLG: .hlg(bits: output.hdrBits ?? 10)
        case .avifGainMap where output.gainMap.base == .pq: .pq(bits: output.hdrBits ?? 10)
        case .avifGainMap where output.gainMap.base == .hlg: .hlg(bits: output.hdrBits ?? 10)
        case .avifGainMap: .sdr(bits: output.sdrBits ?? 8)
        default: .sdr(bits: output.sdrBits ?? 10)
        }
      return try AVIFWriter.Settings(
        kind: kind, chroma: output.chroma == .yuv444 ? .yuv444 : .yuv420,
        quality: output.quality.map(Double.init) ?? AVIFWriter.Settings.defaultQuality,
        thumbnail: output.thumbnail)
    }
  }

  private var jpegSettings: JPEGWriter.Settings {
    get throws {
      try JPEGWriter.Settings(
        chroma: output.chroma == .yuv444 ? .yuv444 : .yuv420,
        quality: output.quality.map(Double.init) ?? JPEGWriter.Settings.defaultQuality)
    }
  }

  private var pngSpace: PNGPictureWriter.Space {
    switch output.format {
    case .png: .bt2100PQ
    case .pngHLG: .bt2100HLG
    default: .displayP3(output.sdrBits == 8 ? .bits8 : .bits16)
    }
  }
}

extension WrittenFile {
  /// The same file, its light that of the rendition that its gain map leads to.
  fileprivate func measured(_ light: LightStatistics?) -> WrittenFile {
    WrittenFile(
      path: path, byteCount: byteCount, size: size, statistics: light ?? statistics,
      isToneMapped: isToneMapped, notes: notes)
  }
}

extension TIFFSpace {
  fileprivate var colorSpace: TIFFWriter.ColorSpace {
    switch self {
    case .displayP3: .displayP3
    case .srgb: .sRGB
    case .bt2020: .bt2020
    case .linearBT2020: .linearBT2020
    case .bt2100PQ: .bt2100PQ
    case .bt2100HLG: .bt2100HLG
    }
  }
}

extension TIFFCompressionChoice {
  fileprivate var compression: TIFFWriter.Compression {
    switch self {
    case .none: .none
    case .deflate: .deflate(level: 1)
    case .zstd: .zstd(level: 1)
    case .lzw: .lzw
    }
  }
}
