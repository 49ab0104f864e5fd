import ImageCore

/// How noise is spread over frequencies once the sensor stages have made pixels of it.
///
/// A demosaic takes missing colors from neighbors, so its noise is smooth and common to the
/// channels. Rather than tables for each filter pattern, even noise is sent through the very stages
/// that make the picture, and its power is measured: for brightness and two color differences
/// (``NoiseColors``) at full, half and quarter size, for each coefficient of the 8 × 8 cosine
/// transform. Pixels of reduced pictures are means and come out with less noise in the same way.
/// Units: variance in that of a photosite with variance 1. Same bits in every run. Known limits:
/// noise of one size everywhere; a demosaic that decides by edges treats noise on them otherwise.
/// Files already demosaiced are taken as if by ours, with variance 1 for pixels.
package struct NoiseSpectrum: Sendable {
  /// For each level, for each of the three planes, 64 variances.
  let levels: [[[Float]]]
  /// Variance of the pixels of each channel.
  let pixels: SIMD3<Float>
  /// How noise bends means, for each channel.
  let scatter: [NoiseScatter]

  static let levelCount = 3
  private static let side = 512
  private static let gray: Float = 0.25
  private static let deviation: Float = 0.005

  /// The spectrum of what `settings` make of a sensor of this `layout` with noise like `model`.
  package init(
    layout: SensorData.Layout, settings: SensorSettings, model: NoiseModel,
    workers: Int = Parallel.defaultWorkers
  ) throws(RAWError) {
    var settings = settings
    settings.highlights = .kept
    let mosaic =
      layout == .linear
      ? .mosaic(CFA(width: 2, height: 2, channels: [0, 1, 1, 2])) : layout
    func picture(_ side: Int, _ light: Float, _ variances: SIMD3<Float>) throws(RAWError) -> Image<
      CameraRGB
    > {
      let data = Self.sensor(mosaic, side, light, variances)
      let pipeline = try SensorPipeline(
        data, balance: SIMD4(repeating: 1), settings: settings, workers: workers)
      return Image(rendering: pipeline, bandHeight: 64, workers: workers)
    }
    let scale = NoiseStabilization(model)
    let even = try picture(
      Self.side, Self.gray, scale.variances(model) * Self.deviation * Self.deviation)
    let full = NoiseLayer()
    Self.load(even, into: full)
    var levels = [Self.spectra(full)]
    var larger = full
    for _ in 1..<Self.levelCount {
      let half = NoiseLayer()
      let size = larger.rect
      half.place(PixelRect(x: 0, y: 0, width: size.width / 2, height: size.height / 2))
      NoisePyramid.halve(larger, into: half, planes: 0..<3)
      levels.append(Self.spectra(half))
      larger = half
    }
    let pixels = Self.pixelVariances(even)
    let unit = layout == .linear ? 3 / max(pixels.sum(), 1e-6) : 1
    self.levels = levels.map { $0.map { $0.map { $0 * unit } } }
    self.pixels = pixels * unit
    var samples: [NoiseScatter.Sample] = []
    for y in NoiseScatter.knots {
      let light = scale.light(y)
      samples.append(
        NoiseScatter.Sample(
          try picture(NoiseScatter.side, light, model.variance(at: light)), scale))
    }
    scatter = (0..<3).map { NoiseScatter(samples, channel: $0, scale, unit: unit) }
  }

  /// An evenly lit sensor with Gaussian noise: sums of four even numbers, which is close enough.
  private static func sensor(
    _ layout: SensorData.Layout, _ side: Int, _ light: Float, _ variances: SIMD3<Float>
  ) -> SensorData {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func even() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) * 0x1p-24 - 0.5
    }
    let samples = RawSamples(format: .float32, stride: side, rows: side) { raw in
      let out = raw.assumingMemoryBound(to: Float.self)
      for y in 0..<side {
        for x in 0..<side {
          var channel = 1
          if case .mosaic(let cfa) = layout { channel = min(cfa.channel(x: x, y: y), 3) }
          let variance = channel == 3 ? variances.y : variances[channel]
          let normal = (even() + even() + even() + even()) * Float(3).squareRoot()
          out[y * side + x] = light + variance.squareRoot() * normal
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
        for x in 0..<picture.size.width {
          let d = Double((row[x] - gray) / deviation)
          sum[c] += d * d
        }
      }
    }
    return SIMD3<Float>(sum / Double(picture.size.area))
  }

  private static func load(_ picture: Image<CameraRGB>, into layer: NoiseLayer) {
    layer.place(PixelRect(picture.size))
    for y in 0..<picture.size.height {
      let (r, g, b) = (picture.row(0, y), picture.row(1, y), picture.row(2, y))
      for x in 0..<picture.size.width {
        let rgb = (SIMD3(r[x], g[x], b[x]) - gray) / deviation
        let planes = NoiseColors.forward(rgb)
        for c in 0..<3 { layer.at(c, x, y)[0] = planes[c] }
      }
    }
  }

  /// Power of each coefficient, the mean over blocks at every column and every fourth row.
  private static func spectra(_ layer: NoiseLayer) -> [[Float]] {
    let width = layer.rect.width & ~7
    let rows = TilePlane()
    rows.place(PixelRect(x: 0, y: 0, width: width, height: 8))
    return (0..<3).map { plane in
      var power = [SIMD8<Float>](repeating: SIMD8(), count: 64)
      var count: Float = 0
      for y in stride(from: 0, through: layer.rect.height - 8, by: 4) {
        transformColumns(layer, plane, y, into: rows)
        for x in stride(from: 0, to: width - 8, by: 8) {
          for k in 0..<8 { add(rows.row(k).from(x), to: &power, 8 * k) }
          count += 8
        }
      }
      return (0..<64).map { i in
        let size = 8 * CosineTransform.scale[i / 8] * CosineTransform.scale[i % 8]
        return power[i].sum() / (count * size * size)
      }
    }
  }

  private static func transformColumns(
    _ layer: NoiseLayer, _ plane: Int, _ y: Int, into rows: TilePlane
  ) {
    let from = (0..<8).map { layer.at(plane, 0, y + $0) }
    for x in vectors(rows.rect.width) {
      let c = CosineTransform.forward(
        Octet(
          v0: from[0].lanes(x), v1: from[1].lanes(x), v2: from[2].lanes(x),
          v3: from[3].lanes(x), v4: from[4].lanes(x), v5: from[5].lanes(x),
          v6: from[6].lanes(x), v7: from[7].lanes(x)))
      rows.row(0).setLanes(x, c.v0)
      rows.row(1).setLanes(x, c.v1)
      rows.row(2).setLanes(x, c.v2)
      rows.row(3).setLanes(x, c.v3)
      rows.row(4).setLanes(x, c.v4)
      rows.row(5).setLanes(x, c.v5)
      rows.row(6).setLanes(x, c.v6)
      rows.row(7).setLanes(x, c.v7)
    }
  }

  /// Adds the powers of row `k` / 8 of eight blocks side by side.
  private static func add(
    _ row: MutableRowView, to power: inout [SIMD8<Float>], _ k: Int
  ) {
    let c = CosineTransform.forward(
      Octet(
        v0: row.lanes(0), v1: row.lanes(1), v2: row.lanes(2), v3: row.lanes(3),
        v4: row.lanes(4), v5: row.lanes(5), v6: row.lanes(6), v7: row.lanes(7)))
    power[k] += c.v0 * c.v0
    power[k + 1] += c.v1 * c.v1
    power[k + 2] += c.v2 * c.v2
    power[k + 3] += c.v3 * c.v3
    power[k + 4] += c.v4 * c.v4
    power[k + 5] += c.v5 * c.v5
    power[k + 6] += c.v6 * c.v6
    power[k + 7] += c.v7 * c.v7
  }
}
