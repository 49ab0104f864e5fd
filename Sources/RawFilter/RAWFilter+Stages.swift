package import ImageCore
package import RawData
import RawSensor

/// How the hue, saturation and value tables of a profile are used.
package enum ProfileTables: Sendable, Hashable {
  /// According to the profile's range.
  case asStored
  /// As for an HDR profile, which is how the reference renderer renders unclipped values.
  case highRange
  /// Not at all.
  case without
}

/// The picture between the stages, for comparison with other renderers and for measuring.
package extension RAWFilter {
  /// Scene-linear values before the tone curve, without noise reduction and sharpening.
  func scenePipeline() throws(RAWError) -> ScenePipeline {
    try check()
    let filter = try resolved()
    var plan = try filter.scenePlan()
    plan.peak = try filter.peak(of: plan, expansion: .none)
    return try plan.stages().scene
  }

  /// Linear values of the active area, opcode lists 1 and 2 applied; black and white, or curves, in
  /// its levels.
  func stage2() throws(RAWError) -> SensorData {
    try picture.file.sensorData(opcodes: opcodes, workers: workers)
  }

  /// Camera values without white balance, 1.0 = white, highlights as recorded and no sample
  /// repaired, list 3 applied: of the active area, before crop and orientation.
  func stage3() throws(RAWError) -> any PixelSource<CameraRGB> {
    let balance = SIMD4<Float>(repeating: 1)
    let pipeline = try SensorPipeline(
      stage2(), balance: balance,
      settings: SensorSettings(highlights: .kept, defects: .kept), workers: workers)
    return picture.lens(lensSelection, balance: balance).applied(to: pipeline, reduction: 1)
  }
}
