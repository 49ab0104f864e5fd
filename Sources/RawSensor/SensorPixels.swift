import ImageCore
import RawData

/// The stages chosen for one picture: a mosaic with its demosaic, or linear pixels.
enum SensorPixels: Sendable {
  case mosaic(BalancedMosaic, any Demosaic, SuperpixelReduction)
  case linear(LinearPixels)

  /// The stages, and the measurements that the pipeline retains.
  struct Build {
    let pixels: SensorPixels
    let ceiling: HighlightCeiling
    let bounds: PeakBounds
    /// The measurements that do not depend on the white in use.
    let measurements: Measurements
    /// Nil without a demosaic.
    var demosaic: DemosaicSettings?
  }

  /// Measurements of a picture that do not depend on the white in use.
  struct Measurements: Sendable {
    let saturation: SaturationLevel
    let extrema: BlockExtrema
    /// Nil for linear pictures.
    let mosaicScan: HighlightStatistics.MosaicScan?
    let clippedFraction: SIMD4<Float>
  }

  /// Photosites along a pixel of the reduced picture.
  var reductionFactor: Int {
    switch self {
    case .mosaic(_, _, let reduction): reduction.factor
    case .linear: 2
    }
  }

  var isMosaic: Bool {
    if case .mosaic = self { true } else { false }
  }

  /// Whether a reader that goes down the picture reuses rows.
  var keepsRows: Bool {
    if case .mosaic(_, let demosaic, _) = self { demosaic.keepsRows } else { false }
  }

  static func make(
    _ data: SensorData, _ balance: SIMD4<Float>, _ settings: SensorSettings, _ known: Measurements?,
    _ pool: WorkspacePool<SensorWorkspace>, workers: Int
  ) throws(RAWError) -> Build {
    let cfa: CFA? =
      switch data.layout {
      case .linear: nil
      case .monochrome: CFA(width: 1, height: 1, channels: [0])
      case .mosaic(let cfa): cfa
      }
    let pattern: (CFA, SuperpixelReduction)?
    if let cfa { pattern = (cfa, try reduction(cfa, settings, data.size)) } else { pattern = nil }
    return try RAWError.translating(.sensor) { () throws(PixelError) in
      let levels = try LinearLevels(data, balance: balance)
      guard let (cfa, reduction) = pattern else {
        return try make(levels, balance, settings, known, pool, workers)
      }
      let gains = MosaicGains(data.gains, data.size, data.layout)
      return try make(cfa, reduction, levels, gains, balance, settings, known, pool, workers)
    }
  }

  /// The superpixels of a pattern; throws where a picture of `size` cannot be developed.
  private static func reduction(
    _ cfa: CFA, _ settings: SensorSettings, _ size: PixelSize
  ) throws(RAWError) -> SuperpixelReduction {
    let matrix = ChannelMatrix(settings.fourColorToRGB)
    guard let reduction = SuperpixelReduction(cfa, matrix: matrix) else {
      throw RAWError(
        .unsupported, .sensor, "this color filter pattern is too irregular to be developed")
    }
    let side = reduction.factor
    guard side <= min(size.width, size.height) else {
      throw RAWError(
        .damaged, .sensor,
        "the active area of \(size) is smaller than the \(side)x\(side) photosites that hold "
          + "all colors; check the file with another program")
    }
    return reduction
  }

  private static func make(
    _ levels: LinearLevels, _ balance: SIMD4<Float>, _ settings: SensorSettings,
    _ known: Measurements?,
    _ pool: WorkspacePool<SensorWorkspace>, _ workers: Int
  ) throws(PixelError) -> Build {
    let saturation =
      if let known { known.saturation } else {
        try SaturationLevel(linear: levels, balance: balance, pool, workers: workers)
      }
    let three = CFA(width: 3, height: 1, channels: [0, 1, 2])
    let white = settings.white
    let ceiling = HighlightCeiling(
      highlights: settings.highlights, saturation: saturation, balance: balance,
      channels: Set(three.channels), clippedWhite: nil)
    let largest = ceiling.last(under: white)
    let pixels = LinearPixels(
      levels: levels, clip: balance * saturation.threshold, ceiling: largest, white: white,
      highlights: settings.highlights)
    let extrema = if let known { known.extrema } else { try BlockExtrema(levels.size, three) }
    let clippedFraction =
      if let known { known.clippedFraction } else {
        try pixels.clippedFraction(extrema, pool, workers: workers)
      }
    return Build(
      pixels: .linear(pixels), ceiling: ceiling,
      bounds: PeakBounds(
        extrema: extrema, cfa: three, matrix: ChannelMatrix([]), clip: pixels.clip,
        ceiling: largest / white),
      measurements: Measurements(
        saturation: saturation, extrema: extrema, mosaicScan: nil, clippedFraction: clippedFraction)
    )
  }

  private static func make(
    _ cfa: CFA, _ reduction: SuperpixelReduction, _ levels: LinearLevels, _ gains: MosaicGains?,
    _ balance: SIMD4<Float>, _ settings: SensorSettings, _ known: Measurements?,
    _ pool: WorkspacePool<SensorWorkspace>, _ workers: Int
  ) throws(PixelError) -> Build {
    let saturation =
      if let known { known.saturation } else {
        try SaturationLevel(levels, cfa, balance: balance, pool, workers: workers)
      }
    let (white, width) = (settings.white, levels.size.width)
    let clip = balance * saturation.threshold
    var mosaic = BalancedMosaic(
      levels: levels,
      defects: try defects(settings.defects, cfa, balance: balance, clip: clip, width),
      clipRows: try ChannelRows(cfa, width: width, values: clip))
    let extrema = if let known { known.extrema } else { try BlockExtrema(levels.size, cfa) }
    let ceiling = HighlightCeiling(
      highlights: settings.highlights, saturation: saturation, balance: balance,
      channels: Set(cfa.channels), clippedWhite: settings.clippedWhite)
    var largest = ceiling.value(under: white)
    let isGuided = settings.highlights == .guided
    let estimate = HighlightEstimate(
      HighlightCells(levels.size, cfa, gains: white, clip: clip), levels: balance * saturation.level
    )
    let statistics = try HighlightStatistics(
      mosaic, cfa, clip: clip, estimate: isGuided ? estimate : nil, extrema: extrema,
      known: known?.mosaicScan, pool: pool, workers: workers)
    switch settings.highlights {
    case .guided:
      mosaic.highlights = statistics.guided
      largest *= GuidedHighlights.excess
    case .clipped:
      let first = ceiling.first(under: white)
      mosaic.highlights = NeutralClip(
        first: try ChannelRows(cfa, width: width, values: first / white), rise: largest / first,
        clipRows: mosaic.clipRows, neighbors: FilterNeighbors(cfa))
    case .kept: break
    }
    mosaic.gains = gains
    let range = gains?.range ?? 1...1
    let scale = DemosaicScale(
      minimum: min(statistics.minimum * range.upperBound, statistics.minimum),
      domain: settings.domain)
    let matrix = ChannelMatrix(settings.fourColorToRGB)
    let demosaic = DemosaicSettings(
      cfa: cfa, method: settings.method, noise: settings.noise, scale: scale, matrix: matrix)
    return Build(
      pixels: .mosaic(mosaic, Demosaics.make(demosaic), reduction), ceiling: ceiling,
      bounds: PeakBounds(
        extrema: extrema, cfa: cfa, matrix: matrix, clip: clip, ceiling: largest / white,
        gains: range),
      measurements: Measurements(
        saturation: saturation, extrema: extrema, mosaicScan: statistics.mosaicScan,
        clippedFraction: statistics.clippedFraction),
      demosaic: demosaic)
  }

  private static func defects(
    _ settings: SensorSettings.Defects, _ cfa: CFA, balance: SIMD4<Float>, clip: SIMD4<Float>,
    _ width: Int
  ) throws(PixelError) -> NoiseOutliers? {
    switch settings {
    case .kept: nil
    case .byNoise(let model):
      try NoiseOutliers(cfa, model.channels(balance: balance), clip: clip, width: width)
    }
  }

  /// Writes the pixels of `rect` at full resolution to `buffer`, where `origin` is the position of
  /// its first pixel.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    switch self {
    case .linear(let pixels):
      try pixels.read(rect, into: buffer, origin: origin, work)
    case .mosaic(let mosaic, let demosaic, _):
      try demosaic.read(rect, of: mosaic, into: buffer, origin: origin, work)
    }
  }

  /// Writes the pixels of `rect` of the reduced picture.
  func readReduced(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    switch self {
    case .linear(let pixels):
      try pixels.readReduced(rect, into: buffer, origin: origin, work)
    case .mosaic(let mosaic, _, let reduction):
      let plane = try mosaic.load(reduction.source(rect), work)
      reduction.reduce(plane, rect, into: buffer, origin: origin)
    }
  }
}
