/// Cloth, chart, gray ramp and leaves.
extension SyntheticScene {
  /// Position of the chart: left, top, and the side of a patch, in picture heights from the middle.
  static let chartOrigin = SIMD2<Float>(-0.674, 0.612)
  static let patchPitch: Float = 0.0625
  static let patchSide: Float = 0.0525

  /// Position of the ramp: twelve steps from 1/256 to 8.
  static let rampOrigin = SIMD2<Float>(-0.370, 0.8905)
  static let rampPitch: Float = 0.046
  static let rampSteps = 12

  /// A woven cloth, 240 threads in a picture height, in soft folds.
  func cloth(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    guard u > 0.25, v > 0.755 else { return c }
    let sway = IntegerNoise.value(u * 9, v * 9, seed: 81) * 0.012
    let outline = max(
      SceneShading.line(u, v, 0.375, 0.775 + sway, 0.300, 1.0),
      SceneShading.line(u, v, 0.80, 0.757 + sway, 0.375, 0.782 + sway))
    let coverage = SceneShading.inside(outline, edge)
    guard coverage > 0 else { return c }
    // Warp and weft lean against the grid of pixels.
    let (a, b) = ((u * 0.985 + v * 0.174) * 120, (v * 0.985 - u * 0.174) * 120)
    let warp = SceneShading.sine(turns: a)
    let weft = SceneShading.sine(turns: b)
    let stripe = SceneShading.step(-0.25, 0.25, SceneShading.sine(turns: a * 0.125))
    let check = SceneShading.step(-0.25, 0.25, SceneShading.sine(turns: b * 0.125))
    let over = 0.5 + 0.5 * warp * weft
    let indigo = LinearRGB(0.045, 0.070, 0.205)
    let cream = LinearRGB(0.66, 0.57, 0.44)
    let thread = SceneShading.mix(
      SceneShading.mix(indigo, cream, stripe), SceneShading.mix(indigo, cream, check),
      SceneShading.step(0.3, 0.7, over))
    let fold =
      0.62 + 0.30 * SceneShading.sine(turns: u * 3.1 - v * 1.7 + sway * 10)
      + 0.12 * SceneShading.sine(turns: u * 7.3 + v * 2.2)
    let texture = 0.72 + 0.28 * abs(warp) * abs(weft)
    var color = thread * (fold * texture) * LinearRGB(0.92, 0.80, 0.68)
    for lamp in Self.lamps {
      let (dx, dy) = (u - lamp.x, v - lamp.y)
      color += thread * lamp.light * (0.0022 / (dx * dx + dy * dy + 0.012))
    }
    if v > Self.tableFront { color *= 0.30 + 0.70 * SceneShading.step(1.0, Self.tableFront, v) }
    return SceneShading.mix(c, color, coverage)
  }

  /// The color chart in a black frame, lit by 1.0.
  func chart(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    let (x, y) = (u - Self.chartOrigin.x, v - Self.chartOrigin.y)
    let (w, h) = (Self.patchPitch * 6, Self.patchPitch * 4)
    let frame = SceneShading.box(x, y, w / 2, h / 2, w / 2 + 0.006, h / 2 + 0.006)
    guard frame < edge else { return c }
    var out = SceneShading.mix(
      c, LinearRGB(0.012, 0.0118, 0.0115), SceneShading.inside(frame, edge))
    let column = min(5, max(0, (x / Self.patchPitch).rounded(.down)))
    let row = min(3, max(0, (y / Self.patchPitch).rounded(.down)))
    let patch = SceneShading.box(
      x, y, (column + 0.5) * Self.patchPitch, (row + 0.5) * Self.patchPitch, Self.patchSide / 2,
      Self.patchSide / 2)
    out = SceneShading.mix(
      out, ColorChart.patches[Int(row) * 6 + Int(column)], SceneShading.inside(patch, edge))
    return out
  }

  /// Twelve luminous steps, each twice the one before: 1/256 … 8.
  func grayRamp(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    let (x, y) = (u - Self.rampOrigin.x, v - Self.rampOrigin.y)
    let (w, h) = (Self.rampPitch * Float(Self.rampSteps), Self.rampPitch)
    let frame = SceneShading.box(x, y, w / 2, h / 2, w / 2 + 0.004, h / 2 + 0.002)
    guard frame < edge else { return c }
    var out = SceneShading.mix(c, LinearRGB(0.010, 0.010, 0.010), SceneShading.inside(frame, edge))
    let step = min(Float(Self.rampSteps - 1), max(0, (x / Self.rampPitch).rounded(.down)))
    let tile = SceneShading.box(
      x, y, (step + 0.5) * Self.rampPitch, h / 2, Self.rampPitch * 0.46, h * 0.44)
    let level = Float(1 << Int(step)) / 256
    out = SceneShading.mix(out, LinearRGB(repeating: level), SceneShading.inside(tile, edge))
    return out
  }

  /// Branches of leaves from the upper right, backlit at their rim, dark within.
  func leaves(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    guard crown(u, v) < 0.26 else { return c }
    let shade = SceneShading.step(0.0, -0.22, crown(u, v) + ragged(u, v))
    var out = SceneShading.mix(c, LinearRGB(0.004, 0.006, 0.003), shade * 0.92)
    for layer in 0..<3 {
      let pitch: Float = 0.030 - 0.006 * Float(layer)
      let column = Int32((u / pitch).rounded(.down))
      let row = Int32((v / pitch).rounded(.down))
      for j in Int32(-1)...1 {
        for i in Int32(-1)...1 {
          out = leaf(u, v, column + i, row + j, layer: layer, pitch: pitch, over: out)
        }
      }
    }
    return out
  }

  /// Distance outside the smooth outline of the crown.
  private func crown(_ u: Float, _ v: Float) -> Float {
    SceneShading.length((u - 0.80) * 1.05, v - 0.08) - 0.38
  }

  /// What makes the outline of the crown ragged, ±0.17.
  private func ragged(_ u: Float, _ v: Float) -> Float {
    (IntegerNoise.fractal(u * 4.5 + 2, v * 4.5, octaves: 2, seed: 91) - 0.5) * 0.34
  }

  /// The one leaf of a cell of the lattice, of any direction.
  private func leaf(
    _ u: Float, _ v: Float, _ ix: Int32, _ iy: Int32, layer: Int, pitch: Float, over c: LinearRGB
  ) -> LinearRGB {
    let seed = 95 + UInt32(layer) * 7
    let a = IntegerNoise.uniform(ix, iy, seed: seed)
    let b = IntegerNoise.uniform(ix, iy, seed: seed + 1)
    let (cx, cy) = ((Float(ix) + a) * pitch, (Float(iy) + b) * pitch)
    let (dx, dy) = (u - cx, v - cy)
    guard dx * dx + dy * dy < 0.0004 else { return c }
    let rim = crown(cx, cy) + ragged(cx, cy)
    guard rim + (a - 0.5) * 0.07 < 0.01 - 0.02 * Float(layer) else { return c }
    let turn = IntegerNoise.uniform(ix, iy, seed: seed + 2)
    let (cosine, sine) = (SceneShading.sine(turns: turn + 0.25), SceneShading.sine(turns: turn))
    let (along, side) = (dx * cosine + dy * sine, abs(dy * cosine - dx * sine))
    let d = max(side + along * along * 26 - 0.0062 - 0.002 * a, abs(along) - 0.0165)
    let vein = 0.72 + 0.28 * SceneShading.step(0, 0.0016, side)
    let glow = SceneShading.step(-0.16, 0.06, rim) * (0.35 + 0.9 * b)
    let color = SceneShading.mix(
      LinearRGB(0.014, 0.026, 0.008), LinearRGB(0.30, 0.34, 0.055),
      glow * (0.45 + 0.28 * Float(layer)))
    return SceneShading.mix(c, color * vein, SceneShading.inside(d, edge))
  }
}
