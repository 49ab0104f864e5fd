import ImageCore
import RawData
import RawDecode
import RawSensor

/// Noise and blur, measured on the samples.
extension RAWPicture {
  /// The noise of the demosaiced picture: ``noise(opcodes:profile:workers:)`` amplified by the mean
  /// of the gains at the end of opcode list 2.
  func renderedNoise(
    opcodes: OpcodeSelection, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> NoiseModel {
    let model = try noise(opcodes: opcodes, profile: profile, workers: workers)
    let lists = file.info.opcodes
    let actions = lists.actions(.linear, sensorOpcodes(opcodes))
    guard file.info.layout != .linear,
      let gains = SensorGains.split(actions, lists.frame(.linear)).gains
    else { return model }
    return model.amplified(by: gains.mean)
  }

  /// The noise of the picture after white balance: declared by a DNG, else measured.
  func noise(
    opcodes: OpcodeSelection, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> NoiseModel {
    let (opcodes, balance) = (sensorOpcodes(opcodes), balance(profile))
    return try cache.value(.noise(opcodes, balance: balance)) { () throws(RAWError) in
      let samples = try samples(opcodes, workers: workers)
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try NoiseModel(
          samples, profile: file.info.noiseProfile, iso: file.metadata.isoSpeed.map(Double.init),
          balance: balance, workers: workers)
      }
    }
  }

  /// The noise model for stages before the demosaic: for merged pictures, of the noisiest areas.
  func mosaicNoise(
    opcodes: OpcodeSelection, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> NoiseModel {
    if let bright = NoiseModel(
      profile: file.info.brightNoiseProfile, balance: balance(profile))
    {
      return bright
    }
    return try noise(opcodes: opcodes, profile: profile, workers: workers)
  }

  /// The spectrum of noise like `model` after the sensor stages of `plan`.
  func noiseSpectrum(
    _ plan: SensorPlan, model: NoiseModel, workers: Int
  ) throws(RAWError) -> NoiseSpectrum {
    // As the spectrum is measured: nothing is saturated.
    let settings = NoiseSpectrum.settings(plan.settings)
    var plan = plan
    plan.settings = settings
    return try cache.value(.noiseSpectrum(plan, model)) { () throws(RAWError) in
      try NoiseSpectrum(
        layout: file.info.layout, settings: settings, model: model, workers: workers)
    }
  }

  /// The blur of the capture, as standard deviation in pixels of the sensor.
  func blur(
    opcodes: OpcodeSelection, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Float {
    let (opcodes, balance) = (sensorOpcodes(opcodes), balance(profile))
    return try cache.value(.blur(opcodes, balance: balance)) { () throws(RAWError) in
      let samples = try samples(opcodes, workers: workers)
      let model = try noise(opcodes: opcodes, profile: profile, workers: workers)
      // Noise of the greens before white balance.
      let gain = model.saturation.y
      let noise = try LuminanceNoise(
        slope: model.shot.y / gain, offset: model.read.y / (gain * gain))
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try SharpeningRadius.measured(samples, noise: noise, workers: workers)
      }
    }
  }
}
