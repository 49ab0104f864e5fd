import CKernels
import ImageCore
package import RawData

/// The power spectrum of noise after the sensor stages.
///
/// A demosaic takes missing colors from neighbors, so its noise is smooth and correlated between
/// the channels. Instead of using tables for each filter pattern, white noise is processed by the
/// stages that make the picture, and its power is measured: for luma and two color differences
/// (NoiseColors.h) at full, half and quarter size, for each coefficient of the 8 × 8 cosine
/// transform. Pixels of reduced pictures are means and come out with less noise in the same way.
/// Units: variance, relative to a photosite's. Deterministic. Known limits: stationary noise is
/// assumed; an edge-directed demosaic treats noise on edges differently. Files already demosaiced
/// are treated as if by our demosaic, with variance 1 for pixels.
package struct NoiseSpectrum: Sendable {
  /// For each level, for each of the three planes, 64 variances.
  let levels: [[[Float]]]
  /// Variance of the pixels of each channel.
  let pixels: SIMD3<Float>
  /// Bias of the denoised values of each channel.
  let bias: [InverseBias]

  static let levelCount = 3
  private static let side = 512
  private static let gray: Float = 0.25
  private static let deviation: Float = 0.005

  /// The spectrum after the stages with `settings`, for a sensor of this `layout` with noise like
  /// `model`.
  package init(
    layout: SensorData.Layout, settings: SensorSettings, model: NoiseModel,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) {
    let settings = Self.settings(settings)
    let mosaic =
      layout == .linear
      ? .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])) : layout
    func picture(
      _ side: Int, _ level: Float, _ variances: SIMD3<Float>
    ) throws(RAWError) -> Image<CameraRGB> {
      let data = try Self.sensor(mosaic, side, level, variances)
      let pipeline = try SensorPipeline(
        data, balance: SIMD4(repeating: 1), settings: settings, workers: workers)
      return try RAWError.translating(.sensor) { () throws(PixelError) in
        try Image(rendering: pipeline, bandHeight: 64, workers: workers)
      }
    }
    let scale = AnscombeTransform(model)
    let flat = try picture(
      Self.side, Self.gray, scale.variances(model) * Self.deviation * Self.deviation)
    let levels = try RAWError.translating(.sensor) { () throws(PixelError) in
      try Self.levels(flat)
    }
    let pixels = Self.pixelVariances(flat)
    let unit = layout == .linear ? 3 / max(pixels.sum(), 1e-6) : 1
    self.levels = levels.map { $0.map { $0.map { $0 * unit } } }
    self.pixels = pixels * unit
    var samples: [InverseBias.Sample] = []
    for y in InverseBias.knots {
      let level = scale.linear(y)
      samples.append(
        InverseBias.Sample(
          try picture(InverseBias.side, level, model.variance(at: level)), scale))
    }
    bias = (0..<3).map { InverseBias(samples, channel: $0, scale, unit: unit) }
  }

  /// The spectra of a picture and of its halves.
  private static func levels(_ picture: Image<CameraRGB>) throws(PixelError) -> [[[Float]]] {
    let full = NoiseLayer()
    try load(picture, into: full)
    var levels = [try spectra(full)]
    var larger = full
    for _ in 1..<levelCount {
      let half = NoiseLayer()
      let size = larger.rect
      try half.reshape(PixelRect(x: 0, y: 0, width: size.width / 2, height: size.height / 2))
      NoisePyramid.halve(larger, into: half, planes: 0..<3)
      levels.append(try spectra(half))
      larger = half
    }
    return levels
  }

  /// The stages' settings that the spectrum depends on: nothing is saturated, and defects are not
  /// searched by another noise.
  package static func settings(_ settings: SensorSettings) -> SensorSettings {
    var own = settings
    (own.highlights, own.white, own.lateral) = (.kept, .one, nil)
    own.clippedWhite = 0
    if case .byNoise = own.defects { own.defects = .kept }
    return own
  }

  /// An evenly lit sensor with approximately Gaussian noise: sums of four uniform numbers.
  private static func sensor(
    _ layout: SensorData.Layout, _ side: Int, _ level: Float, _ variances: SIMD3<Float>
  ) throws(RAWError) -> SensorData {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func uniform() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) * 0x1p-24 - 0.5
    }
    let samples = try RAWError.translating(.sensor) { () throws(PixelError) in
      try RawSamples(of: Float.self, stride: side, rows: side) { out in
        for y in 0..<side {
          for x in 0..<side {
            var channel = 1
            if case .mosaic(let cfa) = layout { channel = min(cfa.channel(x: x, y: y), 3) }
            let variance = channel == 3 ? variances.y : variances[channel]
            let normal = (uniform() + uniform() + uniform() + uniform()) * Float(3).squareRoot()
            out[y * side + x] = level + variance.squareRoot() * normal
          }
        }
      }
    }
    let levels = SensorLevels(
      patternWidth: 1, patternHeight: 1, black: [0], scale: SIMD4(repeating: 1))
    return SensorData(
      size: PixelSize(width: side, height: side), layout: layout, samples: samples,
      levels: levels)
  }

  private static func pixelVariances(_ picture: Image<CameraRGB>) -> SIMD3<Float> {
    var sum = SIMD3<Double>()
    for c in 0..<3 {
      for y in 0..<picture.size.height {
        let row = picture.row(c, y)
        for x in stride(from: 0, to: picture.size.width, by: 8) {
          let distances = SIMD8<Double>((row.lanes(x) - gray) / deviation)
          let squares = distances * distances
          for lane in 0..<8 { sum[c] += squares[lane] }
        }
      }
    }
    return SIMD3<Float>(sum / Double(picture.size.area))
  }

  private static func load(_ picture: Image<CameraRGB>, into layer: NoiseLayer) throws(PixelError) {
    try layer.reshape(PixelRect(picture.size))
    let line = PlanarBuffer()
    for y in 0..<picture.size.height {
      try picture.read(PixelRect(x: 0, y: y, width: picture.size.width, height: 1), into: line)
      ck_loadEvenColors(
        ck_threeRows(picture.size.width) { line.row($0, 0) }, gray, deviation,
        ck_threeRows(picture.size.width) { layer.at($0, 0, y) }, Int64(picture.size.width))
    }
  }

  /// Power of each coefficient, the mean over blocks at every column and every fourth row.
  private static func spectra(_ layer: NoiseLayer) throws(PixelError) -> [[Float]] {
    let width = layer.rect.width & ~7
    let rows = try PixelStorage<Float>(zeros: 8 * width)
    return (0..<3).map { plane in
      var power = [Float](repeating: 0, count: 64 * 8)
      var count: Float = 0
      for y in stride(from: 0, through: layer.rect.height - 8, by: 4) {
        ck_addBlockPowers(
          layer.at(plane, 0, y).start, Int64(layer.stride), rows.start, Int64(width), &power)
        count += Float(width - 8)
      }
      return (0..<64).map { i in
        let size = CosineTransform.blockScale(i)
        let sums = power[8 * i..<8 * i + 8]
        return SIMD8(sums).sum() / (count * size * size)
      }
    }
  }
}
