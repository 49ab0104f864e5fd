import ImageCore
import Writers

extension Developer {
  /// Writes `picture` as the recipe's output says.
  func write(
    _ picture: some PixelSource<DisplayReferred>, metadata: CaptureMetadata, to path: String
  ) throws -> WrittenFile {
    let output = recipe.output
    switch output.format {
    case .heifHLG, .heifPQ, .heifSDR:
      let kind: HEIFWriter.Kind =
        switch output.format {
        case .heifHLG: .hlg
        case .heifPQ: .pq
        default: .sdr(bits: output.sdrBits)
        }
      let settings = try HEIFWriter.Settings(
        kind: kind, chroma: output.chroma == .yuv444 ? .yuv444 : .yuv420,
        quality: output.quality.map(Double.init) ?? HEIFWriter.Settings.defaultQuality)
      return try HEIFWriter(settings, workers: workers)
        .write(picture, metadata: metadata, to: path)
    case .tiff, .tiffFloat:
      let encoding: TIFFWriter.Encoding =
        output.format == .tiffFloat ? .linearFloat : .integer16(output.tiffSpace.colorSpace)
      return try TIFFWriter(
        encoding: encoding, compression: output.tiffCompression.compression, workers: workers
      ).write(picture, metadata: metadata, to: path)
    }
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
