package import ImageCore
package import RawData

// The sensor half of developing: stored samples to balanced camera RGB.
//
// A mosaic at full resolution (BalancedMosaic does the first five):
//
// RawSamples ── LinearLevels ────────── minus black, times scale and white balance; negatives stay
//            ── NoiseOutliers ───────── defective photosites become the median around them
//            ── GuidedHighlights ────── saturated photosites from the other colors,
//               or NeutralClip          or all of them to one neutral level
//            ── MosaicGains ─────────── gains at the end of opcode list 2
//            ── LateralMosaic ───────── red and blue of Bayer mosaics moved to green
//            ── DemosaicScale ───────── square root
//            ── a Demosaic of ``Demosaics``: the first that has a method for the mosaic
//            ── DemosaicScale ───────── squared again ──▶ CameraRGB
//
// At reduced resolution SuperpixelReduction replaces the demosaic and its scale. Pictures of three
// samples per pixel are LinearPixels: LinearLevels, then LinearHighlights.
//
// Everything is computed on demand from the stored samples. If the demosaic keeps rows, as for
// Bayer and X-Trans, pictures are read in strips that keep the rows that the next strip needs
// (DemosaicStrips); all others in tiles, which also read the pixels around them that their stages
// need. BorderContinuation extends the mosaic beyond its borders, so a pixel is the same in every
// rectangle. SaturationLevel and HighlightStatistics measure the full picture when the pipeline is
// made.

/// Stored sensor samples as a picture in balanced camera RGB, made on demand.
package struct SensorPipeline: PixelSource {
  package typealias State = CameraRGB

  /// Columns and rows of the result: the active area divided by ``reduction``.
  package private(set) var size: PixelSize
  package var info: CameraRGB.Info { CameraRGB.Info() }
  /// Photosites of the sensor along one pixel; 1 at full resolution.
  package private(set) var reduction: Int
  /// Balanced value of a neutral all of whose channels are saturated.
  package var clippedCeiling: Float { clippedCeiling(under: white) }
  /// Fraction of the photosites of each channel that are saturated, 0…1.
  package var clippedFraction: SIMD4<Float> { measurements.clippedFraction }

  /// Largest tile of the stages, a multiple of all pattern widths.
  static let tileWidth = 768
  static let tileHeight = 256

  private(set) var pixels: SensorPixels {
    didSet {
      // Left over from measurements.
      lanes.dropIdle()
      lanes = WorkspacePool { SensorWorkspace() }
    }
  }
  let bounds: PeakBounds
  private(set) var peakCache = PeakCache()
  let pool = WorkspacePool { SensorWorkspace() }
  /// Workspaces with rows of ``pixels`` only.
  private var lanes = WorkspacePool { SensorWorkspace() }
  let fullSize: PixelSize
  /// Nil without a demosaic.
  private let demosaic: DemosaicSettings?
  private let white: SIMD4<Float>
  private let ceiling: HighlightCeiling
  let measurements: SensorPixels.Measurements

  /// The picture of `data`; `balance` = gain of each channel (red, green, blue, fourth), the
  /// smallest 1.0. Reads the full mosaic once or twice, on `workers` threads. With `like`, the
  /// picture of the same data and settings under another white, measurements that do not depend on
  /// the white are reused. Throws when the data are inconsistent or a setting is outside its range.
  package init(
    _ data: SensorData, balance: SIMD4<Float>, settings: SensorSettings,
    like: SensorPipeline? = nil, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) {
    try SensorInput.check(data, balance, settings)
    // The working memory of measurements, bands as wide as the picture, is freed with them.
    let made = try SensorPixels.make(
      data, balance, settings, like?.measurements, WorkspacePool { SensorWorkspace() },
      workers: workers)
    pixels = made.pixels
    bounds = made.bounds
    demosaic = made.demosaic
    measurements = made.measurements
    (white, ceiling) = (settings.white, made.ceiling)
    fullSize = data.size
    (size, reduction) = try Self.extent(data.size, settings.resolution, made.pixels)
    if let color = settings.lateral { correct(color) }
  }

  /// ``clippedCeiling`` if highlights were reconstructed under the white of these gains.
  package func clippedCeiling(under white: SIMD4<Float>) -> Float { ceiling.value(under: white) }

  /// Frees the working memory of measurements, which reading does not need.
  package func endMeasuring() { pool.dropIdle() }

  /// The same picture at `resolution`; its measurements are reused.
  package func at(_ resolution: SensorSettings.Resolution) throws(RAWError) -> SensorPipeline {
    var other = self
    (other.size, other.reduction) = try Self.extent(fullSize, resolution, pixels)
    return other
  }

  /// The same picture demosaiced by `method`; its measurements are reused. `noise`: as in settings.
  package func demosaicing(
    by method: DemosaicMethod, noise: NoiseModel? = nil
  ) -> SensorPipeline {
    demosaicing {
      var settings = $0
      (settings.method, settings.noise) = (method, noise)
      return Demosaics.make(settings)
    }
  }

  /// The same picture demosaiced by the result of `make`; its measurements are reused.
  func demosaicing(_ make: (DemosaicSettings) -> any Demosaic) -> SensorPipeline {
    guard case .mosaic(let mosaic, _, let reduction) = pixels, let demosaic else { return self }
    var other = self
    other.pixels = .mosaic(mosaic, make(demosaic), reduction)
    return other
  }

  /// The same picture with `color` corrected before the demosaic; its measurements are reused. Only
  /// Bayer mosaics are changed.
  package func correcting(_ color: LateralColor) -> SensorPipeline {
    var other = self
    other.correct(color)
    return other
  }

  /// The same picture with saturated photosites as they are stored; its measurements are reused.
  func ignoringHighlights() -> SensorPipeline {
    guard case .mosaic(var mosaic, let demosaic, let reduction) = pixels else { return self }
    mosaic.highlights = nil
    var other = self
    other.pixels = .mosaic(mosaic, demosaic, reduction)
    other.peakCache = PeakCache()
    return other
  }

  /// The picture before the demosaic: each sample of `mosaic` as a gray pixel.
  func undemosaiced(_ mosaic: BalancedMosaic, _ reduction: SuperpixelReduction) -> SensorPipeline {
    var other = self
    other.pixels = .mosaic(mosaic, GrayDemosaic(), reduction)
    (other.size, other.reduction) = (fullSize, 1)
    return other
  }

  /// The same picture of three samples per pixel, read by `linear`.
  func replacing(_ linear: LinearPixels) -> SensorPipeline {
    var other = self
    other.pixels = .linear(linear)
    return other
  }

  private mutating func correct(_ color: LateralColor) {
    guard case .mosaic(var mosaic, let own, let reduction) = pixels, let demosaic else { return }
    mosaic.lateral = LateralMosaic(color, bounds.cfa, fullSize, scale: demosaic.scale)
    pixels = .mosaic(mosaic, own, reduction)
    peakCache = PeakCache()
  }

  private static func extent(
    _ full: PixelSize, _ resolution: SensorSettings.Resolution, _ pixels: SensorPixels
  ) throws(RAWError) -> (PixelSize, Int) {
    let reduction = resolution == .full ? 1 : pixels.reductionFactor
    let size = PixelSize(width: full.width / reduction, height: full.height / reduction)
    guard size.area > 0 else {
      throw RAWError(
        .badSetting, .sensor, "a picture of \(full) cannot be reduced; use full resolution")
    }
    return (size, reduction)
  }

  /// Few if no row is computed twice: linear pixels do not depend on each other.
  package var bandHeight: Int {
    !pixels.isMosaic || (pixels.keepsRows && reduction == 1)
      ? DemosaicStrips.height : Self.tileHeight
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try (pixels.isMosaic ? MeasuredStage.demosaic : .levels).measure(rect) {
      () throws(PixelError) in
      try read(rect, into: buffer, isReduced: reduction > 1)
    }
  }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer, isReduced: Bool) throws(PixelError) {
    try buffer.reshape(rect.size)
    let origin = PixelPoint(x: rect.x, y: rect.y)
    if pixels.keepsRows, !isReduced {
      for (part, column) in DemosaicStrips.columns(rect).enumerated() {
        try lanes.keeping(part: part) { work throws(PixelError) in
          try pixels.read(column, into: buffer, origin: origin, work)
        }
      }
      return
    }
    try pool.with { work throws(PixelError) in
      for tile in rect.tiles(width: Self.tileWidth, height: Self.tileHeight) {
        if isReduced {
          try pixels.readReduced(tile, into: buffer, origin: origin, work)
        } else {
          try pixels.read(tile, into: buffer, origin: origin, work)
        }
      }
    }
  }
}
