/// Sky, sun, balloon, hills, sea and boat.
extension SyntheticScene {
  /// Sky with clouds and the sun, without anything in front.
  func sky(_ u: Float, _ v: Float) -> LinearRGB {
    let t = min(1, max(0, v / Self.horizon))
    let high = SceneShading.mix(LinearRGB(0.075, 0.13, 0.33), LinearRGB(0.33, 0.36, 0.50), t)
    var c = SceneShading.mix(high, LinearRGB(1.02, 0.58, 0.30), t * t * t)
    let d = SceneShading.length(u - Self.sun.x, v - Self.sun.y)
    c += LinearRGB(0.95, 0.50, 0.20) * (0.60 / (1 + d * d * 45))
    let n = IntegerNoise.fractal(u * 2.2 + 3, v * 13 + u * 1.5, octaves: 4, seed: 11)
    let cover = SceneShading.step(0.53, 0.78, n) * SceneShading.step(1.05, 0.35, t) * 0.78
    let lit = SceneShading.step(0.9, 0.1, d) * 0.9 + 0.12
    let cloud = SceneShading.mix(
      LinearRGB(0.26, 0.24, 0.34), LinearRGB(1.35, 0.72, 0.42), lit * (1.55 - n))
    c = SceneShading.mix(c, cloud, cover)
    c += LinearRGB(1.0, 0.72, 0.40) * (1.1 / (1 + d * d * 900))
    let disc = SceneShading.step(0.034, 0.026, d)
    return SceneShading.mix(c, LinearRGB(1, 0.90, 0.68) * Self.sunPeak, disc)
  }

  /// Ranges of hills, the farthest first.
  private static let ranges: [(height: Float, rough: Float, color: LinearRGB, seed: UInt32)] = [
    (0.335, 2.3, LinearRGB(0.42, 0.33, 0.42), 31), (0.385, 3.6, LinearRGB(0.19, 0.165, 0.25), 32),
    (0.418, 6.5, LinearRGB(0.055, 0.060, 0.085), 33),
  ]

  /// Sky behind a balloon and three ranges of hills.
  func landscape(_ u: Float, _ v: Float) -> LinearRGB {
    var c = balloon(u, v, over: sky(u, v))
    for (i, range) in Self.ranges.enumerated() {
      let open = SceneShading.step(0.05, 0.75, abs(u - Self.sun.x)) * (0.115 - 0.028 * Float(i))
      let n = IntegerNoise.fractal(u * range.rough + 8, 0.5, octaves: 5, seed: range.seed)
      let ridge = range.height + 0.075 - open - 0.10 * (n - 0.35)
      let haze = SceneShading.step(ridge, Self.horizon, v) * 0.45
      let near = 1 / (1 + 14 * (u - Self.sun.x) * (u - Self.sun.x))
      let color = SceneShading.mix(
        range.color, LinearRGB(0.75, 0.45, 0.30), haze * near + 0.12 * near)
      c = SceneShading.mix(c, color, SceneShading.inside(ridge - v, edge))
    }
    return c
  }

  /// A balloon of all hues, which fade smoothly into one another.
  private func balloon(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    let (x, y) = (u - 0.20, v - 0.150)
    guard abs(x) < 0.11, y > -0.11, y < 0.17 else { return c }
    let narrow = 1 - SceneShading.step(0.0, 0.115, y) * 0.62
    let d = SceneShading.length(x / narrow, y > 0 ? y * 0.80 : y)
    var out = c
    let rope = min(
      abs(x - 0.018 - (y - 0.09) * -0.10), abs(x + 0.018 + (y - 0.09) * -0.10))
    if y > 0.08 && y < 0.132 {
      out = SceneShading.mix(
        out, LinearRGB(0.03, 0.025, 0.02), SceneShading.inside(rope - edge, edge))
    }
    let basket = SceneShading.box(x, y, 0, 0.141, 0.0145, 0.011)
    out = SceneShading.mix(out, LinearRGB(0.10, 0.055, 0.025), SceneShading.inside(basket, edge))
    let across = min(1, max(-1, x / (0.088 * narrow)))
    let round = max(0, 1 - across * across).squareRoot()
    let turn = across * (0.30 + 0.20 * across * across)
    let light = 0.20 + 0.80 * max(0, -0.55 * across + 0.80 * round)
    let dye = SceneShading.mix(SceneShading.hue(turn + 0.52), LinearRGB(1, 1, 1), 0.16)
    let seam = 1 - 0.25 * SceneShading.power(abs(SceneShading.sine(turns: turn * 5)), doublings: 4)
    return SceneShading.mix(
      out, dye * LinearRGB(0.88, 0.74, 0.60) * (light * seam), SceneShading.inside(d - 0.088, edge))
  }

  /// Water that mirrors the sky, with the sun's glitter.
  func sea(_ u: Float, _ v: Float) -> LinearRGB {
    let depth = max(0, v - Self.horizon)
    // Waves grow towards the viewer: their frequency falls with the distance from the horizon.
    let far = 1 / (depth + 0.012)
    let swell = IntegerNoise.fractal(u * (4 + 0.55 * far), far * 1.15, octaves: 3, seed: 51) - 0.5
    let mirrored = max(0.02, Self.horizon - depth * 1.55 - swell * (0.04 + depth * 0.9))
    let fresnel = 0.42 + 0.38 / (1 + depth * 26)
    let wave = (1 + swell * 0.9) * fresnel
    var c = SceneShading.mix(
      LinearRGB(0.010, 0.030, 0.045), skyWithoutSun(u + swell * 0.05, mirrored), wave)
    let away = abs(u - Self.sun.x) / (0.030 + depth * 0.55)
    let path = 1 / (1 + away * away * away * away)
    let grain = IntegerNoise.value(u * (26 + 2.6 * far), far * 4.4, seed: 52)
    let glint = SceneShading.step(0.60 + 0.30 * (1 - path), 0.97, grain)
    c += LinearRGB(1, 0.70, 0.36) * (path * (0.35 + 7 * glint))
    return c
  }

  /// The sky as rough water mirrors it: the disc of the sun is spread into glitter.
  private func skyWithoutSun(_ u: Float, _ v: Float) -> LinearRGB {
    let t = v / Self.horizon
    let high = SceneShading.mix(LinearRGB(0.075, 0.13, 0.33), LinearRGB(0.33, 0.36, 0.50), t)
    let d = SceneShading.length(u - Self.sun.x, v - Self.sun.y)
    return SceneShading.mix(high, LinearRGB(1.02, 0.58, 0.30), t * t * t)
      + LinearRGB(0.95, 0.50, 0.20) * (0.60 / (1 + d * d * 45))
  }

  /// A boat: the edges of its sails are five degrees off the columns.
  func boat(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    let (x, y) = (u - 0.055, v)
    guard abs(x) < 0.10, y > 0.30, y < 0.56 else { return c }
    var out = c
    let foot: Float = 0.487
    let main = max(
      SceneShading.line(x, y, 0.0115, 0.315, -0.004, foot),
      max(SceneShading.line(x, y, 0.062, foot, 0.0115, 0.315), y - foot))
    out = SceneShading.mix(out, LinearRGB(0.96, 0.80, 0.64), SceneShading.inside(main, edge))
    let jib = max(
      SceneShading.line(x, y, 0.004, 0.335, -0.060, foot + 0.004),
      max(SceneShading.line(x, y, -0.010, foot + 0.004, 0.004, 0.335), y - foot - 0.004))
    out = SceneShading.mix(out, LinearRGB(0.36, 0.29, 0.31), SceneShading.inside(jib, edge))
    let hull = max(max(0.494 - y, y - 0.511), abs(x) - 0.072 + (y - 0.494) * 0.9)
    out = SceneShading.mix(out, LinearRGB(0.028, 0.020, 0.024), SceneShading.inside(hull, edge))
    let trim = SceneShading.box(x, y, 0, 0.4945, 0.0705, 0.0014)
    out = SceneShading.mix(out, LinearRGB(0.62, 0.10, 0.05), SceneShading.inside(trim, edge))
    // Its reflection, broken by the waves.
    if y > 0.511 {
      let n = IntegerNoise.value(x * 60, y * 170, seed: 61)
      let shade = SceneShading.inside(abs(x) - 0.060, 0.02) * SceneShading.step(0.552, 0.511, y)
      out = SceneShading.mix(
        out, LinearRGB(0.06, 0.05, 0.06), shade * SceneShading.step(0.25, 0.6, n) * 0.75)
    }
    return out
  }
}
