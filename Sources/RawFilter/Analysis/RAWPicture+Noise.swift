import ImageCore
import Synchronization

/// What the numbers tell of noise and blur, measured once, and the stage that takes the noise out.
extension RAWPicture {
  struct SpectrumKey: Hashable {
    var key: Key
    var method: SensorSettings.Method
  }

  struct NoiseKey: Hashable {
    var opcodes: OpcodeSelection
    var balance: SIMD4<Float>
  }

  /// The noise of the picture after white balance: as a DNG states it, else as measured.
  func noise(
    opcodes: OpcodeSelection, profile: CameraProfile?, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> NoiseModel {
    try noise(key(isReduced: false, opcodes, .rebuilt, profile), workers: workers)
  }

  private func noise(_ key: Key, workers: Int) throws(RAWError) -> NoiseModel {
    let noiseKey = NoiseKey(opcodes: key.opcodes, balance: key.balance)
    if let known = state.withLock({ $0.noises[noiseKey] }) { return known }
    let model = NoiseModel(
      try sensor(key.opcodes, workers: workers), profile: file.info.noiseProfile,
      iso: file.metadata.isoSpeed.map(Double.init), balance: key.balance, workers: workers)
    state.withLock { $0.noises[noiseKey] = model }
    return model
  }

  /// `pipeline`, which `key` made, without its noise.
  func clean(
    _ pipeline: SensorPipeline, _ stage: NoiseStage, _ key: Key, _ method: SensorSettings.Method,
    profile: CameraProfile?, workers: Int
  ) throws(RAWError) -> any PixelSource<CameraRGB> {
    guard !stage.isNeutral else { return pipeline }
    let model = try noise(key, workers: workers)
    var spectrum: NoiseSpectrum?
    if stage.needsSpectrum {
      let spectrumKey = SpectrumKey(key: key, method: method)
      spectrum = state.withLock { $0.spectra[spectrumKey] }
      if spectrum == nil {
        var settings = settings(key, profile)
        settings.method = method
        spectrum = try NoiseSpectrum(
          layout: file.info.layout, settings: settings, model: model,
          workers: workers)
        state.withLock { $0.spectra[spectrumKey] = spectrum }
      }
    }
    return try stage.applied(to: pipeline, model: model, spectrum: spectrum)
  }

  /// The blur of the capture, as standard deviation in pixels of the sensor.
  func blur(
    opcodes: OpcodeSelection, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Float {
    let opcodes = file.info.opcodes.normalized(opcodes, for: [.stored, .linear])
    if let known = state.withLock({ $0.radii[opcodes] }) { return known }
    let radius = SharpeningRadius.measured(
      try sensor(opcodes, workers: workers), workers: workers)
    state.withLock { $0.radii[opcodes] = radius }
    return radius
  }
}
