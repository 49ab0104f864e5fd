import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The exposure that belongs to the file, and its brightest value.
extension RAWPicture {
  /// Stops that belong to the file: a DNG's own, else found from the embedded preview, which
  /// decodes the picture.
  func baselineExposure(workers: Int = Parallel.defaultWorkers) throws(RAWError) -> Float {
    if let stops = file.info.baselineExposure { return Float(stops) }
    return try cache.value(.baselineExposure) { () throws(RAWError) in
      try matchingBaselineExposure(workers: workers)
    }
  }

  private func matchingBaselineExposure(workers: Int) throws(RAWError) -> Float {
    guard let profile = file.info.profile, let preview = file.preview()?.decode(maxSide: 256) else {
      return BaselineExposure.withoutPreview
    }
    let target = BaselineExposure.meanLightness(srgb: preview.rgb)
    let plan = sensorPlan(OpcodeSelection(), .rebuilt, profile)
    let pipeline = try pipeline(plan, workers: workers)
    let asShot = profile.neutral(for: profile.asShotWhite)
    let matrix = profile.balancedToBT2020(balance: asShot, white: profile.asShotWhite)
    let proxy = pipeline.proxy(reduction: 16, workers: workers)
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
      let pipeline = try pipeline(plan, workers: workers)
      let lens = lens(selection, balance: plan.balance)
      return lens.isEmpty
        ? pipeline.peak(of: matrix, workers: workers)
        : pipeline.peak(of: matrix, behind: lens, workers: workers)
    }
  }
}
