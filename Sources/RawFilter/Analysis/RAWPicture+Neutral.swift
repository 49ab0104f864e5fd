import ImageCore
import RawDecode
import RawSensor

/// Illuminants estimated from the picture itself.
extension RAWPicture {
  /// The camera's picture after lens correction, before noise reduction: the input of measurements.
  func recorded(
    _ plan: SensorPlan, lens selection: LensSelection, workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> (source: any PixelSource<CameraRGB>, pipeline: SensorPipeline) {
    let pipeline = try pipeline(plan, workers: workers)
    let lens = lens(selection, balance: plan.balance)
    return (lens.applied(to: pipeline, reduction: pipeline.reduction), pipeline)
  }

  /// Balanced camera value of the surface at a pixel of the crop (``NeutralPatch``). Highlights are
  /// always reconstructed for it, so that the white does not depend on the highlight setting.
  func neutralPatch(
    at point: PixelPoint, of crop: PixelRect, lens: LensSelection, profile: CameraProfile?,
    defects: SensorSettings.Defects
  ) throws(RAWError) -> SIMD3<Double> {
    let native = nativeSize(crop)
    func refused(_ what: String) -> RAWError {
      RAWError(.badSetting, .settings, "neutralLocation (\(point.x), \(point.y)) \(what)")
    }
    guard PixelRect(native).contains(PixelRect(x: point.x, y: point.y, width: 1, height: 1)) else {
      throw refused(
        "lies outside the picture of \(native); count native pixels, before orientation and scaling"
      )
    }
    let camera = try recorded(
      sensorPlan(lens.opcodes, .guided, profile, defects: defects), lens: lens)
    let radius = NeutralPatch.radius(native: native)
    func stored(_ length: Int, _ side: KeyPath<PixelSize, Int>) -> Int {
      length * crop.size[keyPath: side] / max(native[keyPath: side], 1)
    }
    let (rx, ry) = (max(stored(radius, \.width), 4), max(stored(radius, \.height), 4))
    let chosen = PixelPoint(
      x: crop.x + stored(point.x, \.width), y: crop.y + stored(point.y, \.height))
    let rect = PixelRect(x: chosen.x - rx, y: chosen.y - ry, width: 2 * rx + 1, height: 2 * ry + 1)
      .intersection(crop).intersection(PixelRect(camera.source.size))
    guard !rect.isEmpty else { throw refused("holds no pixel; choose another point") }
    let buffer = PlanarBuffer()
    try RAWError.translating(.sensor) { () throws(PixelError) in
      try camera.source.read(rect, into: buffer)
    }
    do {
      return try NeutralPatch(
        buffer, chosen: PixelPoint(x: chosen.x - rect.x, y: chosen.y - rect.y),
        saturation: camera.pipeline.saturation
      ).color
    } catch {
      switch error {
      case .clipped: throw refused("is clipped; choose a darker neutral point")
      case .black: throw refused("is as dark as its noise; choose a brighter neutral point")
      }
    }
  }

  /// The illuminant estimated from the colors of the whole picture; cached for each profile and
  /// opcode selection.
  func automaticWhite(
    opcodes: OpcodeSelection, profile: CameraProfile, defects: SensorSettings.Defects,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> Chromaticity {
    let analysis = Analysis.automaticWhite(sensorOpcodes(opcodes), profile, defects)
    return try cache.value(analysis) { () throws(RAWError) in
      let colors = try illuminantSamples(
        opcodes: opcodes, profile: profile, defects: defects, workers: workers)
      return AutomaticWhite(
        colors, profile: profile, asShot: profile.knowsAsShotWhite ? profile.asShotWhite : nil
      ).white
    }
  }

  /// Camera values without white balance, sampled over the whole picture, without samples that may
  /// be saturated.
  func illuminantSamples(
    opcodes: OpcodeSelection, profile: CameraProfile, defects: SensorSettings.Defects,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) -> [SIMD3<Double>] {
    let pipeline = try pipeline(
      sensorPlan(opcodes, .guided, profile, defects: defects), workers: workers)
    // The mean of an area that is partly saturated lies below the saturation.
    let limit = pipeline.saturation * 0.8
    let asShot = profile.neutral(for: profile.asShotWhite)
    let proxy = try RAWError.translating(.sensor) { () throws(PixelError) in
      try pipeline.proxy(reduction: 16, workers: workers)
    }
    var samples: [SIMD3<Double>] = []
    samples.reserveCapacity(proxy.size.area)
    for y in 0..<proxy.size.height {
      for x in 0..<proxy.size.width {
        let value = proxy[x, y]
        guard value.x < limit.x, value.y < limit.y, value.z < limit.z else { continue }
        samples.append(SIMD3<Double>(value) * asShot)
      }
    }
    return samples
  }
}
