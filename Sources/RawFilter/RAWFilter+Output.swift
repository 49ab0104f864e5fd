import Foundation
import HDRRender
public import ImageCore

extension RAWFilter {
  /// Renders the picture: linear light in ``outputPrimaries``, 1.0 = reference white (203 cd/m²),
  /// upright. Keeps the demosaiced picture for the next call when it fits ``cacheLimitBytes``.
  ///
  /// Throws a ``RAWError``: `.badSetting` for settings outside their range, `.damaged`,
  /// `.unsupported` or `.tooLarge` when the pixels cannot be decoded.
  public func outputImage() throws(RAWError) -> RAWImage {
    let rendition = try rendition(keepsDemosaiced: true)
    return RAWImage(
      image: Image(rendering: rendition, workers: workers), fileHeadroom: rendition.fileHeadroom,
      warnings: rendition.warnings)
  }

  /// The same picture, rendered rectangle by rectangle when it is read, so that it never stands in
  /// memory as a whole: what writers take. Decodes now.
  public func rendition() throws(RAWError) -> RAWRendition {
    try rendition(keepsDemosaiced: false)
  }

  /// What becomes of saturated photosites. Clipping to neutral belongs to the look: linear pictures
  /// hold the light as it was recorded.
  var highlights: SensorSettings.Highlights {
    if settings.isHighlightRecoveryEnabled { return .rebuilt }
    return settings.boostAmount == 0 ? .kept : .clipped
  }

  /// Which of the file's opcodes are applied, and what stands in for those of the lens.
  var opcodes: OpcodeSelection {
    var selection = OpcodeSelection(
      correctsLens: settings.isLensCorrectionEnabled, isPreview: settings.isDraftModeEnabled)
    if selection.correctsLens { selection.lensProfile = lensProfile }
    return selection
  }

  /// Whether the sensor's cells become pixels of half the size, which is all that the picture needs.
  package var isReduced: Bool {
    let (size, crop) = (scaledSize, picture.file.info.crop)
    return settings.isDraftModeEnabled
      || (2 * size.width <= crop.width && 2 * size.height <= crop.height)
  }

  /// The colour half of the pipeline for these settings; its top half is ``SensorPipeline``. Noise
  /// is taken out if `isCleaned`. The local tone map is opened by `opening`, and by `peakOpening` for the brightest value.
  package func scenePipeline(
    keepsDemosaiced: Bool = false, isCleaned: Bool = false, opening: HighlightOpening = .none,
    peakOpening: HighlightOpening = .none
  ) throws(RAWError) -> ScenePipeline {
    try settings.validate()
    try requireProfile()
    try requireLensDatabase()
    let white = try resolvedWhite()
    let profile = profile
    let size = scaledSize
    let (crop, area) = (picture.file.info.crop, picture.file.info.size)
    let noise = isCleaned ? try noiseStage() : .none
    let camera = try picture.camera(
      isReduced: isReduced, opcodes: opcodes, highlights: highlights,
      method: try sensorMethod(), noise: noise, profile: profile, keepsDemosaiced: keepsDemosaiced,
      workers: workers)

    let gain = exp2(Double(settings.exposure) + Double(baselineExposure))
    let bias = Double(settings.shadowBias)
    var colour = Matrix3.identity
    if let profile {
      let asShot = profile.neutral(for: profile.asShotWhite)
      colour = profile.balancedToBT2020(balance: asShot, white: white)
    }
    let neutral = clippedNeutral(camera, white: white)
    let profileColor = profileColor(
      white: white, placement: ProfileColor.Placement(size: size, crop: crop, area: area),
      opening: opening)
    let matrix = colour * (gain / (1 - bias))
    let offset = -bias / (1 - bias)
    let reduction = Double(camera.reduction)
    let isWhole = camera.reduction == 1 && size == crop.size && picture.file.info.pixelAspect == 1
    let pipeline = { (peak: Float) in
      ScenePipeline(
        camera: camera.source, crop: crop,
        resampling: isWhole
          ? nil
          : Resampling(
            size: size, source: camera.source.size, originX: Double(crop.x) / reduction,
            originY: Double(crop.y) / reduction, spanX: Double(crop.width) / reduction,
            spanY: Double(crop.height) / reduction),
        clippedNeutral: neutral, matrix: ColorMatrix(matrix, offset: offset),
        profileColor: profileColor, filter: linearSpaceFilter, peak: peak,
        isClipped: camera.clippedFraction.max() > 0)
    }
    if linearSpaceFilter != nil {
      // Only the pixels themselves can tell how bright the filter makes them.
      return pipeline(pipeline(1).lightStatistics(workers: workers).contentHeadroom)
    }
    if profileColor != nil { return pipeline(try profilePeak(white: white, opening: peakOpening)) }
    let peak = try picture.peak(
      matrix: matrix, opcodes: opcodes, highlights: highlights, profile: profile,
      workers: workers)
    return pipeline(peak + Float(offset))
  }
}

/// A developed picture in memory and what is known of it.
public struct RAWImage: Sendable {
  /// The pixels: linear light, 1.0 = reference white.
  public let image: Image<DisplayReferred>
  /// Brightest pixel, as a multiple of reference white, measured.
  public let contentHeadroom: Float
  /// Mean over the pixels of the largest channel, as a multiple of reference white, measured.
  public let contentAverageLightLevel: Float
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  public let fileHeadroom: Float
  /// What was not as it should be.
  public let warnings: [String]

  init(image: Image<DisplayReferred>, fileHeadroom: Float, warnings: [String]) {
    self.image = image
    self.fileHeadroom = fileHeadroom
    self.warnings = warnings
    let statistics = image.lightStatistics()
    contentHeadroom = statistics.contentHeadroom
    contentAverageLightLevel = statistics.contentAverageLightLevel
  }
}

/// A developed picture that is rendered when it is read.
public struct RAWRendition: PixelSource {
  /// The picture is display-referred.
  public typealias State = DisplayReferred

  private let rendition: any PixelSource<DisplayReferred>
  /// Headroom that the file holds: what `extendedDynamicRangeAmount` 1 opens.
  public let fileHeadroom: Float
  /// What was not as it should be.
  public let warnings: [String]

  init(rendition: any PixelSource<DisplayReferred>, fileHeadroom: Float, warnings: [String]) {
    self.rendition = rendition
    self.fileHeadroom = fileHeadroom
    self.warnings = warnings
  }

  /// Columns and rows, upright.
  public var size: PixelSize { rendition.size }
  /// Rows that are best read at a time.
  public var bandHeight: Int { rendition.bandHeight }
  /// Primaries and the upper bound of the pixels.
  public var info: DisplayReferred.Info { rendition.info }
  /// Renders `rect` into `buffer`.
  public func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    rendition.read(rect, into: buffer)
  }
}
