import ImageCore
import RawData

/// The stages chosen for one picture: a mosaic with its demosaic, or linear pixels.
enum SensorPixels: Sendable {
  case mosaic(BalancedMosaic, Demosaic, SuperpixelReduction)
  case linear(LinearPixels)

  enum Demosaic: Sendable {
    case ratioCorrected(RatioCorrectedDemosaic)
    case xTrans(XTransDemosaic)
    case fourColor(FourColorDemosaic)
    case pattern(PatternDemosaic)
    /// No filter: one sample for all three.
    case gray
  }

  /// The stages and what the pipeline keeps of the measurements for them.
  struct Made {
    let pixels: SensorPixels
    /// Value of a neutral all of whose channels are saturated, by the gains of the white in use.
    let ceiling: @Sendable (_ white: SIMD4<Float>) -> Float
    let clippedFraction: SIMD4<Float>
    let bounds: PeakBounds
    /// What does not depend on the white in use.
    let known: Known
    /// The scale of the demosaic; nil where there is none.
    var scale: DemosaicScale?
  }

  /// What is known of a picture whatever the white in use.
  struct Known: Sendable {
    let saturation: SaturationLevel
    let extrema: BlockExtrema
    /// Nil for linear pictures.
    let scanned: HighlightStatistics.Scanned?
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

  /// Whether a reader that goes down the picture keeps rows.
  var keepsRows: Bool {
    switch self {
    case .mosaic(_, .ratioCorrected, _), .mosaic(_, .xTrans, _): true
    default: false
    }
  }

  static func make(
    _ data: SensorData, _ balance: SIMD4<Float>, _ settings: SensorSettings, _ known: Known?,
    _ pool: WorkspacePool<SensorWorkspace>, workers: Int
  ) throws(RAWError) -> Made {
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
    let fold = ChannelMatrix(settings.fourColorToRGB)
    guard let reduction = SuperpixelReduction(cfa, fold: fold) else {
      throw RAWError(
        .unsupported, .sensor, "this color filter pattern is too irregular to be developed")
    }
    let side = reduction.factor
    guard side <= min(size.width, size.height) else {
      throw RAWError(
        .damaged, .sensor,
        "the active area of \(size) has no \(side)x\(side) photosites, as many as hold all "
          + "colors; check the file with another program")
    }
    return reduction
  }

  private static func make(
    _ levels: LinearLevels, _ balance: SIMD4<Float>, _ settings: SensorSettings, _ known: Known?,
    _ pool: WorkspacePool<SensorWorkspace>, _ workers: Int
  ) throws(PixelError) -> Made {
    let saturation =
      if let known { known.saturation } else {
        try SaturationLevel(linear: levels, balance: balance, pool, workers: workers)
      }
    let white = settings.white
    let highest: @Sendable (SIMD4<Float>) -> Float = { white in
      let inUse = balance * white
      return max(inUse.x, inUse.y, inUse.z)
    }
    let end: @Sendable (SIMD4<Float>) -> Float = { _ in 1 }
    let ceiling = highest(white)
    let pixels = LinearPixels(
      levels: levels, clip: balance * saturation.threshold, ceiling: ceiling, white: white,
      highlights: settings.highlights)
    let three = CFA(width: 3, height: 1, channels: [0, 1, 2])
    let extrema = if let known { known.extrema } else { try BlockExtrema(levels.size, three) }
    let clippedFraction =
      if let known { known.clippedFraction } else {
        try pixels.clippedFraction(extrema, pool, workers: workers)
      }
    return Made(
      pixels: .linear(pixels),
      ceiling: settings.highlights == .clipped ? end : highest,
      clippedFraction: clippedFraction,
      bounds: PeakBounds(
        extrema: extrema, cfa: three, fold: ChannelMatrix([]), clip: pixels.clip,
        ceiling: ceiling / white),
      known: Known(
        saturation: saturation, extrema: extrema, scanned: nil, clippedFraction: clippedFraction))
  }

  private static func make(
    _ cfa: CFA, _ reduction: SuperpixelReduction, _ levels: LinearLevels, _ gains: MosaicGains?,
    _ balance: SIMD4<Float>, _ settings: SensorSettings, _ known: Known?,
    _ pool: WorkspacePool<SensorWorkspace>, _ workers: Int
  ) throws(PixelError) -> Made {
    let saturation =
      if let known { known.saturation } else {
        try SaturationLevel(levels, cfa, balance: balance, pool, workers: workers)
      }
    let clip = balance * saturation.threshold
    let fold = ChannelMatrix(settings.fourColorToRGB)
    var mosaic = BalancedMosaic(
      levels: levels,
      defects: try defects(settings.defects, cfa, balance: balance, clip: clip, levels.size.width),
      clipRows: try ChannelRows(cfa, width: levels.size.width, values: clip))
    let extrema = if let known { known.extrema } else { try BlockExtrema(levels.size, cfa) }
    let channels = Set(cfa.channels)
    let neutralEnd: @Sendable (SIMD4<Float>) -> Float = { white in
      saturation.neutralEnd(balance: balance * white, channels: channels)
    }
    let highest: @Sendable (SIMD4<Float>) -> Float = { white in
      let inUse = balance * white
      return channels.map { saturation.level[Int($0)] * inUse[Int($0)] }.max() ?? 1
    }
    let clippedEnd: @Sendable (SIMD4<Float>) -> Float = { white in
      max(neutralEnd(white), settings.clippedWhite)
    }
    let ceilings = settings.highlights == .clipped ? clippedEnd : highest
    let ceiling = ceilings(settings.white)
    let (white, width, clipRows) = (settings.white, levels.size.width, mosaic.clipRows)
    let neighbors = FilterNeighbors(cfa)
    let guide: @Sendable (HighlightLight) throws(PixelError) -> GuidedHighlights = {
      light throws(PixelError) in
      try GuidedHighlights(cfa, width: width, clip: clip, clipRows: clipRows, light: light)
    }
    let measurement: HighlightStatistics.Measurement =
      switch settings.highlights {
      case .guided:
        .light(
          HighlightLight(
            LightCells(levels.size, cfa, gains: white, clip: clip),
            levels: balance * saturation.level),
          guide: guide)
      case .clipped, .kept: .nothing
      }
    let statistics = try HighlightStatistics(
      mosaic, clip: clip, neighbors: neighbors, measurement: measurement, extrema: extrema,
      known: known?.scanned, pool: pool, workers: workers)
    let largest = settings.highlights == .guided ? GuidedHighlights.excess * ceiling : ceiling
    switch settings.highlights {
    case .guided:
      if let light = statistics.light { mosaic.highlights = .guided(try guide(light)) }
    case .clipped:
      let first = neutralEnd(white)
      mosaic.highlights = .clipped(
        NeutralClip(
          first: try ChannelRows(cfa, width: width, values: first / white),
          rise: ceiling / first, clipRows: clipRows, neighbors: neighbors))
    case .kept: break
    }
    mosaic.gains = gains
    let range = gains?.range ?? 1...1
    let scale = DemosaicScale(
      minimum: min(statistics.minimum * range.upperBound, statistics.minimum),
      domain: settings.domain)
    return Made(
      pixels: .mosaic(mosaic, demosaic(cfa, settings.method, scale, fold), reduction),
      ceiling: ceilings, clippedFraction: statistics.clippedFraction,
      bounds: PeakBounds(
        extrema: extrema, cfa: cfa, fold: fold, clip: clip, ceiling: largest / settings.white,
        gains: range),
      known: Known(
        saturation: saturation, extrema: extrema, scanned: statistics.scanned,
        clippedFraction: statistics.clippedFraction),
      scale: scale)
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

  static func demosaic(
    _ cfa: CFA, _ method: SensorSettings.Method, _ scale: DemosaicScale,
    _ fold: ChannelMatrix
  ) -> Demosaic {
    if cfa.channelCount == 1 { return .gray }
    if cfa.kind == .bayer && method != .linear {
      var noise: NoiseModel?
      if case .dual(let given) = method { noise = given }
      return .ratioCorrected(
        RatioCorrectedDemosaic(
          cfa, scale: scale, isBest: method == .best || noise != nil, noise: noise))
    }
    let passes = method == .best ? 3 : 1
    if method != .linear, let demosaic = XTransDemosaic(cfa, scale: scale, passes: passes) {
      return .xTrans(demosaic)
    }
    if method != .linear, method != .automatic,
      let demosaic = FourColorDemosaic(cfa, scale: scale, fold: fold)
    {
      return .fourColor(demosaic)
    }
    return .pattern(PatternDemosaic(cfa, scale: scale, fold: fold))
  }

  /// Writes the pixels of `rect` at full resolution to `buffer`, where `origin` is the position of
  /// its first pixel.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    switch self {
    case .linear(let pixels):
      try pixels.read(rect, into: buffer, origin: origin, work)
    case .mosaic(let mosaic, .gray, _):
      let plane = try mosaic.load(rect, work)
      for y in rect.y..<rect.endY {
        for c in 0..<3 {
          (buffer.row(c, y - origin.y).from(rect.x - origin.x)).update(
            from: plane.row(y).from(rect.x - plane.rect.x), count: rect.width)
        }
      }
    case .mosaic(let mosaic, .pattern(let demosaic), _):
      let plane = try mosaic.load(rect.expanded(by: demosaic.reach), work)
      try demosaic.demosaic(plane, rect, into: buffer, origin: origin, fourth: work.sums)
    case .mosaic(let mosaic, .xTrans(let demosaic), _):
      try XTransReading(mosaic: mosaic, demosaic: demosaic).read(
        rect, into: buffer, origin: origin, work)
    case .mosaic(let mosaic, .fourColor(let demosaic), _):
      let plane = try mosaic.load(rect.expanded(by: FourColorDemosaic.reach), work)
      try demosaic.demosaic(plane, rect, into: buffer, origin: origin, work)
    case .mosaic(let mosaic, .ratioCorrected(let demosaic), _):
      try BayerReading(mosaic: mosaic, demosaic: demosaic).read(
        rect, into: buffer, origin: origin, work)
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
