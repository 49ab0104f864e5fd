/// Linear values in BT.2020 primaries, 1.0 = reference white.
typealias LinearRGB = SIMD3<Float>

/// Functions that a scene is drawn with. Only sums, products, quotients and square roots, which
/// IEEE 754 rounds alike on every machine; no sine or power of a mathematics library.
enum SceneShading {
  /// 0 below `low`, 1 above `high`, a cubic between.
  static func step(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = min(1, max(0, (x - low) / (high - low)))
    return t * t * (3 - 2 * t)
  }

  /// Fraction of a pixel inside an edge `distance` outside of it, blurred over `softness`.
  static func inside(_ distance: Float, _ softness: Float) -> Float {
    min(1, max(0, 0.5 - distance / softness))
  }

  /// `b` over `a`; exactly one of them where `alpha` is 0 or 1.
  static func mix(_ a: LinearRGB, _ b: LinearRGB, _ alpha: Float) -> LinearRGB {
    a * (1 - alpha) + b * alpha
  }

  /// sin(2π · `turns`) by two parabolas, error below 0.002.
  static func sine(turns: Float) -> Float {
    let t = turns - turns.rounded(.down)
    let half = t < 0.5 ? t : t - 0.5
    let parabola = 16 * half * (0.5 - half)
    let refined = 0.225 * (parabola * parabola - parabola) + parabola
    return t < 0.5 ? refined : -refined
  }

  static func length(_ x: Float, _ y: Float) -> Float { (x * x + y * y).squareRoot() }

  /// Distance outside the rectangle around (`cx`, `cy`), negative inside.
  static func box(_ x: Float, _ y: Float, _ cx: Float, _ cy: Float, _ hw: Float, _ hh: Float)
    -> Float
  {
    max(abs(x - cx) - hw, abs(y - cy) - hh)
  }

  /// Distance to the right of the line as seen on its way from (`ax`, `ay`) to (`bx`, `by`).
  static func line(_ x: Float, _ y: Float, _ ax: Float, _ ay: Float, _ bx: Float, _ by: Float)
    -> Float
  {
    let (dx, dy) = (bx - ax, by - ay)
    return ((y - ay) * dx - (x - ax) * dy) / length(dx, dy)
  }

  /// `x` to the 2^`doublings`.
  static func power(_ x: Float, doublings: Int) -> Float {
    var y = x
    for _ in 0..<doublings { y *= y }
    return y
  }

  /// The saturated color of a hue of `turns`, peak 1.
  static func hue(_ turns: Float) -> LinearRGB {
    let h = (turns - turns.rounded(.down)) * 6
    return LinearRGB(
      min(1, max(0, abs(h - 3) - 1)), min(1, max(0, 2 - abs(h - 2))),
      min(1, max(0, 2 - abs(h - 4))))
  }
}
