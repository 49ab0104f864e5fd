import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// Baseline exposure of the file, and its brightest value.
extension RAWPicture {
  /// Baseline exposure in stops: a DNG's own, else estimated from the embedded preview, else from
  /// the scene; both decode the picture. For a DNG that leaves its rendering to the program, it is
  /// estimated if there is a `style`, and 0 for scene-linear output.
  ///
  /// `white`: the default white of the file.
  func baselineExposure(
    by style: ToneLook?, white: (CameraProfile) throws(RAWError) -> Chromaticity,
    defects: () throws(RAWError) -> SensorSettings.Defects,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Float {
    if let stated = file.info.baselineExposure, statesExposure(for: style != nil) {
      return Float(stated)
    }
    var rendered = Chromaticity.d65
    if let profile = file.info.profile { rendered = try white(profile) }
    let (style, defects) = (style ?? .standard, try defects())
    return try cache.value(.baselineExposure(style, rendered, defects)) {
      () throws(RAWError) in
      try foundBaselineExposure(style, rendered, defects, workers: workers)
    }
  }

  /// Whether the file's own exposure applies to a rendering that is display-referred, or
  /// scene-linear.
  func statesExposure(for isDisplayReferred: Bool) -> Bool {
    file.info.baselineExposure != nil && !(isDisplayReferred && file.info.leavesRenderingOpen)
  }

  private func foundBaselineExposure(
    _ style: ToneLook, _ white: Chromaticity, _ defects: SensorSettings.Defects, workers: Int
  ) throws(RAWError) -> Float {
    let profile = file.info.profile
    var plan = sensorPlan(OpcodeSelection(), .guided, profile, defects: defects)
    var color = ScenePipeline.Color(matrix: .identity, offset: 0)
    if let profile {
      plan.settings.white = try clippingWhite(plan, profile, white: white, workers: workers)
      color.matrix = profile.balancedToBT2020(
        balance: profile.neutral(for: profile.asShotWhite), white: white)
      color.gamut = CameraGamut(color.matrix)
    }
    let pipeline = try pipeline(plan, workers: workers)
    let peak = try peak(plan, lens: LensSelection(), matrix: color.matrix, workers: workers)
    let matched = try matchedPreview()
    return try RAWError.translating(.sensor) { () throws(PixelError) in
      let scene = ScenePipeline(
        try pipeline.proxy(reduction: 16, workers: workers), color, peak: peak)
      let drawn = try PlanarBuffer(size: scene.size)
      try scene.read(PixelRect(scene.size), into: drawn)
      if let matched {
        return try BaselineExposure.matching(
          BaselineExposure.meanLightness(matched.rgb, file.colors(of: matched.preview)),
          scene: drawn, peak: peak, style: style)
      }
      return try BaselineExposure.ofScene(
        drawn, peak: peak, style: style, hidden: Float(hiddenUnderexposure?.stops ?? 0))
    }
  }

  /// The embedded preview whose lightness is matched; nil without a decodable one.
  func matchedPreview() throws(RAWError) -> MatchedPreview? {
    try cache.value(.matchedPreview) {
      guard let preview = file.preview(), !preview.isOwn,
        let decoded = preview.decode(maxSide: 256)
      else { return nil }
      return MatchedPreview(preview: preview, rgb: decoded.rgb)
    }
  }

  /// `preview` decoded at reduced size.
  struct MatchedPreview: Sendable {
    let preview: EmbeddedPreview
    let rgb: [UInt8]
  }

  /// The largest channel of any pixel after `matrix`, measured on the sensor's own cells so that it
  /// does not depend on scale or caching. Depends on the opcodes that draft mode skips.
  func peak(
    _ plan: SensorPlan, lens selection: LensSelection, matrix: Matrix3, workers: Int
  ) throws(RAWError) -> Float {
    let plan = plan.forAnalysis
    return try cache.value(.peak(plan, lens: normalized(selection), matrix)) {
      () throws(RAWError) in
      if lens(selection, balance: plan.balance).isEmpty {
        let pipeline = try pipeline(plan, workers: workers)
        return try RAWError.translating(.sensor) { () throws(PixelError) in
          try pipeline.peak(of: matrix, workers: workers)
        }
      }
      let extrema = try extrema(plan, lens: selection, workers: workers)
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try extrema.peak(of: matrix, workers: workers)
      }
    }
  }

  /// The range of values after lens correction, on superpixels if the lens can be corrected on
  /// them.
  func extrema(
    _ plan: SensorPlan, lens selection: LensSelection, workers: Int
  ) throws(RAWError) -> PictureExtrema {
    var plan = plan.forAnalysis
    let isReducible = lens(selection, balance: plan.balance).isReducible
    if isReducible, (try? pipeline(plan, workers: workers).at(.reduced)) != nil {
      plan.settings.resolution = .reduced
    }
    return try cache.value(.extrema(plan, lens: normalized(selection))) { () throws(RAWError) in
      let source = try recorded(plan, lens: selection, workers: workers).source
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try PictureExtrema(source, workers: workers)
      }
    }
  }
}

extension RawInfo {
  /// Whether a DNG leaves its rendering to the program: no baseline exposure, and no profile with a
  /// tone curve or a local tone map.
  fileprivate var leavesRenderingOpen: Bool {
    baselineExposure == 0
      && !profiles.contains {
        !$0.toneCurve.isEmpty || $0.gainTableMap != nil || $0.baselineExposureOffset != 0
      }
  }
}
