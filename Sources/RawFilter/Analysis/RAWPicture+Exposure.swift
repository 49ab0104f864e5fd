import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The exposure that belongs to the file, and its brightest value.
extension RAWPicture {
  /// Stops that belong to the file: a DNG's own, else found from the embedded preview, which
  /// decodes the picture. A DNG that leaves its look to the program that opens it is matched to its
  /// preview where there is a look, and has no exposure where it is scene-linear.
  func baselineExposure(
    hasLook: Bool,
    recovery: () throws(RAWError) -> SensorSettings.Highlights,
    defects: () throws(RAWError) -> SensorSettings.Defects,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Float {
    let stated = file.info.baselineExposure.map { Float($0) }
    let isMatched = hasLook && file.info.leavesItsLookOpen
    if let stated, !isMatched { return stated }
    let (recovery, defects) = (try recovery(), try defects())
    return try cache.value(.baselineExposure(recovery, defects)) { () throws(RAWError) in
      try matchingBaselineExposure(recovery, defects, workers: workers)
        ?? stated ?? BaselineExposure.withoutPreview
    }
  }

  /// Nil without colors or a preview by the camera or another program.
  private func matchingBaselineExposure(
    _ recovery: SensorSettings.Highlights, _ defects: SensorSettings.Defects, workers: Int
  ) throws(RAWError) -> Float? {
    guard let profile = file.info.profile, let embedded = file.preview(), !embedded.isOwn,
      let preview = embedded.decode(maxSide: 256)
    else { return nil }
    let target = BaselineExposure.meanLightness(srgb: preview.rgb)
    let plan = sensorPlan(OpcodeSelection(), recovery, profile, defects: defects)
    let pipeline = try pipeline(plan, workers: workers)
    let asShot = profile.neutral(for: profile.asShotWhite)
    let matrix = profile.balancedToBT2020(balance: asShot, white: profile.asShotWhite)
    let proxy = try RAWError.translating(.sensor) { () throws(PixelError) in
      try pipeline.proxy(reduction: 16, workers: workers)
    }
    var scene: [SIMD3<Double>] = []
    for y in 0..<proxy.size.height {
      for x in 0..<proxy.size.width { scene.append(matrix * SIMD3<Double>(proxy[x, y])) }
    }
    let peak = try peak(plan, lens: LensSelection(), matrix: matrix, workers: workers)
    return BaselineExposure.matching(target, scene: scene, peak: Double(peak))
  }

  /// The largest channel that `matrix` makes of any pixel, measured on the sensor's own cells so
  /// that it does not depend on scale or caching. What draft mode leaves out of the opcodes counts.
  func peak(
    _ plan: SensorPlan, lens selection: LensSelection, matrix: Matrix3, workers: Int
  ) throws(RAWError) -> Float {
    let plan = plan.whole
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
    var plan = plan.whole
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
  fileprivate var leavesItsLookOpen: Bool {
    baselineExposure == 0
      && !profiles.contains {
        !$0.toneCurve.isEmpty || $0.gainTableMap != nil || $0.baselineExposureOffset != 0
      }
  }
}
