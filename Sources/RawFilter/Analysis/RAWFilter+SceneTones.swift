import Foundation
import HDRRender
import ImageCore
import RawDecode
import RawSensor

/// The dark, middle and bright tones of a picture's scene.
extension RAWFilter {
  /// The tones of the scene of `plan`, which is rendered by `tone`; typical tones if no adjustment
  /// needs them. Measured once for all exposures, without lens correction.
  func sceneTones(_ plan: DevelopPlan, tone: ProfileTone?) throws(RAWError) -> SceneTones {
    let adjustments = settings.look
    guard adjustments.contrast != 0 || adjustments.whites != 0 || adjustments.blacks != 0 else {
      return SceneTones()
    }
    var filter = self
    filter.settings = settings.recorded
    filter.settings.exposure = 0
    filter.settings.baselineExposure = baselineExposure
    filter.settings.scaleFactor = 1
    let cache = linearSpaceFilter == nil ? picture.cache : AnalysisCache()
    var tones = try cache.value(.sceneTones(filter.scene(peak: 1))) { () throws(RAWError) in
      try filter.measuredTones(plan.sensor.forAnalysis, white: plan.white)
    }
    // A profile's tone curve, or none, maps reference white to white.
    tones.white = log2(
      (tone == nil ? pow(ToneCurve.white, Double(settings.boostAmount)) : 1) / ToneCurve.gray)
    return tones.exposed(by: Double(settings.exposure))
  }

  private func measuredTones(
    _ sensor: SensorPlan, white: Chromaticity
  ) throws(RAWError) -> SceneTones {
    let pipeline = try picture.pipeline(sensor, workers: workers)
    let camera = try RAWError.translating(.sensor) { () throws(PixelError) in
      try pipeline.proxy(reduction: 16, workers: workers)
    }
    let area = picture.file.info.size
    let color = try sceneColor(
      pipeline, white: white,
      placement: ProfileColor.Placement(
        size: camera.size, crop: PixelRect(area), area: area), expansion: .none)
    return try RAWError.translating(.color) { () throws(PixelError) in
      let scene = try PlanarBuffer(size: camera.size)
      try ScenePipeline(camera, color, peak: 1).read(PixelRect(camera.size), into: scene)
      return SceneTones(scene)
    }
  }
}
