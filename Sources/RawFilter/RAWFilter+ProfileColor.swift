import Foundation
import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The tables of the active profile, for the scene pipeline.
extension RAWFilter {
  /// nil if the active profile has no table, or only neutral ones.
  func profileColor(
    white: Chromaticity, placement: ProfileColor.Placement, expansion: HighlightExpansion = .none
  ) throws(RAWError) -> ProfileColor? {
    try profileColorSettings(white: white, placement: placement, expansion: expansion)
      .flatMap { ProfileColor($0) }
  }

  /// The settings for the active profile; nil if it has no tables.
  private func profileColorSettings(
    white: Chromaticity, placement: ProfileColor.Placement, expansion: HighlightExpansion
  ) throws(RAWError) -> ProfileColor.Settings? {
    guard let active = activeProfile, active.hasTables, let camera = profile else { return nil }
    let showsColors = profileTables != .without
    let asShot = camera.neutral(for: camera.asShotWhite)
    // The tables expect the file's own exposure; further exposure follows the local map.
    let own = Double(try fileBaselineExposure())
    return ProfileColor.Settings(
      cameraToD50: camera.cameraToD50(white: white) * Matrix3(diagonal: asShot),
      hueSatMap: showsColors
        ? HueSatTable.mixed(active.hueSatMaps, weights: camera.calibrationWeights(for: white))
        : nil,
      lookTable: showsColors ? active.lookTable : nil,
      gainTableMap: active.gainTableMap?.scaled(by: localToneMapAmount)?.expandingHighlights(
        expansion),
      rgbTable: active.rgbTables?.background,
      isHighRange: active.range.isHigh || profileTables == .highRange,
      baselineGain: exp2(own),
      userGain: exp2(sceneStops - own),
      shadowBias: Double(settings.shadowBias), placement: placement)
  }

  /// Keeps fully clipped pixels neutral under `white` if the highlights were reconstructed under
  /// another white; else nil.
  func clippedNeutral(_ pipeline: SensorPipeline, white: Chromaticity) -> ClippedNeutral? {
    guard let profile, let highlightsWhite else { return nil }
    let inUse = picture.balance(profile, white: white) / picture.balance(profile)
    return ClippedNeutral(
      ceiling: pipeline.clippedCeiling,
      gains: SIMD3(highlightsWhite.x, highlightsWhite.y, highlightsWhite.z),
      ceilingInUse: pipeline.clippedCeiling(under: inUse),
      gainsInUse: SIMD3(inUse.x, inUse.y, inUse.z))
  }

  /// The brightest channel after the tables, measured on the sensor's cells, so that it does not
  /// depend on scale, draft mode or caching; where hues are changed, that of ``BrightestColors``.
  func profilePeak(white: Chromaticity, expansion: HighlightExpansion) throws(RAWError) -> Float {
    guard let location = activeProfileLocation else { return 1 }
    let inputs = ProfilePeak(
      profile: location, white: white, lens: lensSelection, highlights: highlightMethod(),
      highlightsWhite: highlightsWhite, defects: try defects(),
      baselineExposure: baselineExposure, exposure: settings.exposure,
      shadowBias: settings.shadowBias, localToneMapAmount: localToneMapAmount, expansion: expansion,
      tables: profileTables)
    return try picture.cache.value(.profilePeak(inputs)) { () throws(RAWError) in
      try measuredProfilePeak(white: white, expansion: expansion)
    }
  }

  private func measuredProfilePeak(
    white: Chromaticity, expansion: HighlightExpansion
  ) throws(RAWError) -> Float {
    let selection = lensSelection
    let lens = picture.lens(selection, balance: picture.balance(profile))
    let plan = try sensorPlan(
      selection.opcodes, resolution: lens.isReducible ? .reduced : .full)
    let (camera, pipeline) = try picture.recorded(plan, lens: selection, workers: workers)
    let (crop, step) = (cameraCrop, pipeline.reduction)
    let cells = PixelRect(
      x: crop.x / step, y: crop.y / step, width: max(crop.width / step, 1),
      height: max(crop.height / step, 1)
    ).intersection(PixelRect(camera.size))
    let shown = PixelRect(
      x: cells.x * step, y: cells.y * step, width: cells.width * step,
      height: cells.height * step)
    let color = try profileColor(
      white: white,
      placement: ProfileColor.Placement(
        size: cells.size, crop: shown, area: picture.file.info.size), expansion: expansion)
    let neutral = clippedNeutral(pipeline, white: white)
    let scene = ScenePipeline(
      TrimmedSource(source: camera, rect: cells),
      ScenePipeline.Color(clippedNeutral: neutral, matrix: .identity, offset: 0, profile: color),
      peak: 1)
    guard let color, let bound = color.bound, neutral == nil else {
      let dependsOnPosition = color?.dependsOnPosition ?? false
      let colors = try picture.cache.value(
        .brightestColors(plan, lens: selection, cells, dependsOnPosition: dependsOnPosition)
      ) { () throws(RAWError) in
        try RAWError.translating(.color) { () throws(PixelError) in
          try BrightestColors(
            TrimmedSource(source: camera, rect: cells), dependsOnPosition: dependsOnPosition,
            workers: workers)
        }
      }
      return try RAWError.translating(.color) { () throws(PixelError) in
        try colors.peak(in: scene)
      }
    }
    // Only blocks with bright camera values can contain the brightest pixel.
    let pool = BufferPool()
    let measure: @Sendable (PixelRect) throws(PixelError) -> Float = { block throws(PixelError) in
      let part = block.intersection(cells)
      guard !part.isEmpty else { return -.infinity }
      let rect = PixelRect(
        x: part.x - cells.x, y: part.y - cells.y, width: part.width, height: part.height)
      return try pool.withBuffer(rect.size) { buffer throws(PixelError) in
        try scene.read(rect, into: buffer)
        var statistics = ContentLightStatistics()
        statistics.add(buffer)
        return statistics.contentHeadroom
      }
    }
    let (weights, factor) = (bound.matrix, bound.factor)
    let extrema =
      lens.isEmpty ? nil : try picture.extrema(plan, lens: selection, workers: workers)
    let peak = try RAWError.translating(.color) { () throws(PixelError) in
      guard let extrema else {
        return try pipeline.largest(weights: weights, factor: factor, workers: workers) {
          block throws(PixelError) in
          try measure(block.reduced(by: step))
        }
      }
      return try extrema.largest(
        weights: weights, factor: factor, workers: workers, measure: measure,
        allPixels: { () throws(PixelError) in try scene.peak(workers: workers) })
    }
    return max(peak, 0)
  }
}

/// Everything that the brightest value depends on if a profile has tables.
struct ProfilePeak: Sendable, Hashable {
  var profile: ProfileLocation
  var white: Chromaticity
  var lens: LensSelection
  var highlights: SensorSettings.Highlights
  var highlightsWhite: SIMD4<Float>?
  var defects: SensorSettings.Defects
  var baselineExposure: Float
  var exposure: Float
  var shadowBias: Float
  var localToneMapAmount: Float
  var expansion: HighlightExpansion
  var tables: ProfileTables
}

/// Where the profile in use is stored.
enum ProfileLocation: Sendable, Hashable {
  /// A profile of the raw, by its index.
  case stored(Int)
  /// A profile in a .dcp file.
  case file(path: String)
}
