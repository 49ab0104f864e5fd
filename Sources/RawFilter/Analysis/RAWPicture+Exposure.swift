import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The exposure that belongs to the file, and its brightest value.
extension RAWPicture {
  /// Stops that belong to the file: a DNG's own, else found from the embedded preview, else from
  /// the scene; both decode the picture. A DNG that leaves its look to the program that opens it
  /// has the exposure that is found where there is a `style`, and none where it is scene-linear.
  ///
  /// `white`: what the file is rendered under where no other white is asked for.
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

  /// Whether the file's own exposure holds for a rendering that `isDisplayReferred`, or for one of none.
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

  /// The picture by the camera or another program whose lightness is matched; nil where there is
  /// none that can be decoded.
  func matchedPreview() throws(RAWError) -> MatchedPreview? {
    try cache.value(.matchedPreview) {
      guard let preview = file.preview(), !preview.isOwn,
        let decoded = preview.decode(maxSide: 256)
      else { return nil }
      return MatchedPreview(preview: preview, rgb: decoded.rgb)
    }
  }

  /// A small picture of `preview`.
  struct MatchedPreview: Sendable {
    let preview: EmbeddedPreview
    let rgb: [UInt8]
  }

  /// The largest channel that `matrix` makes of any pixel, measured on the sensor's own cells so
  /// that it does not depend on scale or caching. What draft mode leaves out of the opcodes counts.
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

  /// The range of values of the camera's picture behind its lens, of superpixels where the lens can
  /// be corrected on them.
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
  /// Whether a DNG leaves its look to the program that opens it: no exposure of its own, and no
  /// profile with a tone curve or a local tone map.
  fileprivate var leavesRenderingOpen: Bool {
    baselineExposure == 0
      && !profiles.contains {
        !$0.toneCurve.isEmpty || $0.gainTableMap != nil || $0.baselineExposureOffset != 0
      }
  }
}
