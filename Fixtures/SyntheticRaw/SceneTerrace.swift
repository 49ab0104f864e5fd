/// The table and the objects on it.
extension SyntheticScene {
  /// Centers of the lamps and their colors at four times white.
  static let lamps: [(x: Float, y: Float, light: LinearRGB)] = [
    (0.275, 0.690, LinearRGB(4, 0.42, 0.16)), (0.400, 0.676, LinearRGB(0.62, 4, 0.42)),
    (0.525, 0.690, LinearRGB(0.22, 0.42, 4)),
  ]
  static let lampRadius: Float = 0.040

  /// Planks in evening light, dark below the front edge.
  func terrace(_ u: Float, _ v: Float) -> LinearRGB {
    let depth = (v - Self.shore) / (Self.tableFront - Self.shore)
    let toward = 1 / (0.62 + 0.38 * min(1, max(0, depth)))
    let (px, py) = (u * toward, toward * 4)
    let plank = (px * 5.2 + 40).rounded(.down)
    let within = px * 5.2 + 40 - plank
    let tint = IntegerNoise.uniform(Int32(plank), 7, seed: 71)
    let grain = IntegerNoise.fractal(
      px * 46 + tint * 9, py * 3.5 + plank * 3.1, octaves: 4, seed: 72)
    let warm = 0.62 + 0.85 / (1 + 5 * (u - Self.sun.x * 1.4) * (u - Self.sun.x * 1.4))
    var c = SceneShading.mix(LinearRGB(0.115, 0.060, 0.030), LinearRGB(0.30, 0.17, 0.085), grain)
    c *= (0.74 + 0.5 * tint) * warm * (1.12 - 0.42 * depth)
    let gap = min(within, 1 - within) / 5.2
    c *= 0.18 + 0.82 * SceneShading.step(0, 0.0045, gap)
    for lamp in Self.lamps {
      let (dx, dy) = (u - lamp.x, (v - lamp.y - 0.052) * 2.1)
      c += lamp.light * (0.055 / (1 + (dx * dx + dy * dy) * 420))
    }
    if v > Self.tableFront - edge {
      let n = IntegerNoise.fractal(u * 5, v * 90, octaves: 3, seed: 73)
      let face = LinearRGB(0.016, 0.009, 0.006) * (0.5 + n)
      let below = SceneShading.mix(
        face, LinearRGB(0.0011, 0.0010, 0.0013),
        SceneShading.step(Self.tableFront + 0.022, Self.tableFront + 0.030, v))
      c = SceneShading.mix(c, below, SceneShading.inside(Self.tableFront - v, edge))
    }
    return c
  }

  /// Everything on the table, the farthest first.
  func objects(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    guard v > 0.54 else { return lampGlow(u, v, over: c) }
    var out = shadows(u, v, over: c)
    out = cloth(u, v, over: out)
    for lamp in Self.lamps { out = globe(u, v, lamp, over: out) }
    out = zonePlate(u, v, over: out)
    out = ball(u, v, SIMD2(-0.105, 0.742), 0.082, LinearRGB(0.62, 0.60, 0.57), gloss: 5, over: out)
    out = ball(u, v, SIMD2(0.022, 0.806), 0.047, LinearRGB(0.74, 0.20, 0.018), gloss: 7, over: out)
    out = chart(u, v, over: out)
    out = grayRamp(u, v, over: out)
    return lampGlow(u, v, over: out)
  }

  private func lampGlow(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    guard u > 0.05, v > 0.42, v < Self.tableFront else { return c }
    var out = c
    for lamp in Self.lamps {
      let d = SceneShading.length(u - lamp.x, v - lamp.y) / 0.05
      let glow = max(0, 1 - d * 0.25)
      out += lamp.light * (0.030 * glow * glow / (0.6 + d * d))
    }
    return out
  }

  /// Centers and half widths of the shadows of the balls and the zone plate.
  private static let shadowSpots: [(x: Float, y: Float, radius: Float)] = [
    (-0.055, 0.822, 0.105), (0.052, 0.850, 0.062), (0.235, 0.887, 0.085),
  ]

  private func shadows(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    var out = c
    for (x, y, r) in Self.shadowSpots {
      let d = SceneShading.length((u - x) / r, (v - y) / (r * 0.26))
      out *= 1 - 0.80 * SceneShading.step(1.25, 0.35, d)
    }
    let chart = SceneShading.box(u, v, -0.485, 0.868, 0.205, 0.012)
    return out * (1 - 0.8 * SceneShading.inside(chart, 0.018))
  }

  /// A lamp: a globe of colored glass, brightest in the middle, on a dark foot.
  private func globe(
    _ u: Float, _ v: Float, _ lamp: (x: Float, y: Float, light: LinearRGB), over c: LinearRGB
  ) -> LinearRGB {
    let (x, y) = (u - lamp.x, v - lamp.y)
    let foot = SceneShading.box(x, y, 0, 0.046, 0.017 + max(0, y - 0.043) * 0.8, 0.011)
    var out = SceneShading.mix(c, LinearRGB(0.020, 0.016, 0.013), SceneShading.inside(foot, edge))
    let r = SceneShading.length(x, y) / Self.lampRadius
    guard r < 1.2 else { return out }
    let core = SceneShading.step(1.0, 0.62, r)
    out = SceneShading.mix(
      out, lamp.light * (0.30 + 0.70 * core), SceneShading.inside((r - 1) * Self.lampRadius, edge))
    return out
  }

  /// A ball lit by the low sun on the left, with its glint.
  private func ball(
    _ u: Float, _ v: Float, _ center: SIMD2<Float>, _ radius: Float, _ albedo: LinearRGB,
    gloss: Int, over c: LinearRGB
  ) -> LinearRGB {
    let (x, y) = ((u - center.x) / radius, (v - center.y) / radius)
    let r2 = x * x + y * y
    guard r2 < 1.2 else { return c }
    let z = max(0, 1 - r2).squareRoot()
    let sun = max(0, -0.60 * x - 0.52 * y + 0.608 * z)
    let ambient = LinearRGB(0.15, 0.17, 0.22) * (0.75 - 0.45 * y)
    let bounce = LinearRGB(0.16, 0.075, 0.03) * max(0, y)
    var shade = albedo * (LinearRGB(1.10, 0.80, 0.52) * sun + ambient + bounce)
    for lamp in Self.lamps {
      let (dx, dy) = (lamp.x - u, lamp.y - v)
      let d2 = dx * dx + dy * dy
      let facing = max(0, (x * dx + y * dy) / (d2.squareRoot() + 0.02) + 0.2 * z)
      shade += albedo * lamp.light * (facing * 0.0035 / (d2 + 0.02))
    }
    // Half way between the sun and the viewer.
    let half = max(0, -0.335 * x - 0.290 * y + 0.897 * z)
    shade += LinearRGB(1, 0.88, 0.68) * (12 * SceneShading.power(half, doublings: gloss + 2))
    let rim = (1 - z) * (1 - z)
    shade += LinearRGB(0.20, 0.15, 0.14) * (rim * max(0, 0.3 - y) * 0.7)
    return SceneShading.mix(c, shade, SceneShading.inside((r2.squareRoot() - 1) * radius, edge))
  }

  /// A disc whose rings narrow to 320 cycles in a picture height.
  private func zonePlate(_ u: Float, _ v: Float, over c: LinearRGB) -> LinearRGB {
    let (x, y) = (u - 0.185, v - 0.806)
    let r = SceneShading.length(x, y)
    guard r < 0.10 else { return c }
    let radius: Float = 0.080
    var out = SceneShading.mix(
      c, LinearRGB(0.030, 0.028, 0.026), SceneShading.inside(r - radius - 0.006, edge))
    let rings = 0.5 + 0.48 * SceneShading.sine(turns: r * r * (160 / radius) + 0.25)
    out = SceneShading.mix(
      out, LinearRGB(0.78, 0.74, 0.68) * (0.03 + 0.97 * rings),
      SceneShading.inside(r - radius, edge))
    return out
  }
}
