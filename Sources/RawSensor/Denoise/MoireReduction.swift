import CVector
package import ImageCore
package import RawDecode

/// Removes color moiré: false color of fine patterns.
///
/// Where a pattern is finer than the sampling of red and blue, the demosaic turns it into slow
/// waves of color. They are detected where both hold, over 5 × 5 pixels, on the scale of
/// ``AnscombeTransform``:
/// 1. luma alternates from pixel to pixel: its second difference is larger than half its change
///   over four pixels, which isolated edges do not cause, and than noise;
/// 2. color varies: its second difference over four pixels is larger than that of noise.
/// There, with a weight that grows from 0 to amount, color becomes the mean of 20 × 20 pixels
/// around, those of other luma weighing less. Elsewhere, and where a channel saturates, pixels stay
/// bit for bit. Known failure: real color of very fine patterns is lost too; waves wider than 20
/// pixels stay.
package struct MoireReduction: PixelSource {
  package typealias State = CameraRGB

  /// Pixels that are read on each side of a rectangle, at most.
  package static let halo = 32

  package let source: any PixelSource<CameraRGB>
  /// 0 (nothing changes) … 1.
  package let amount: Float
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, 512) }
  let scale: AnscombeTransform
  let saturation: SIMD3<Float>
  private let pool = WorkspacePool { NoiseWorkspace() }

  /// Valid amounts.
  package static let amounts: ClosedRange<Float> = 0...1

  /// Throws when `amount` is outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, amount: Float
  ) throws(RAWError) {
    guard Self.amounts.contains(amount) else {
      throw RAWError(.badSetting, .settings, "the moiré reduction \(amount) must be 0 to 1")
    }
    self.source = source
    self.amount = amount
    scale = AnscombeTransform(model)
    saturation = model.saturation
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    guard amount > 0 else { return source.read(rect, into: buffer) }
    buffer.reshape(rect.size)
    let origin = PixelPoint(x: rect.x, y: rect.y)
    pool.with { work in
      for tile in rect.evenTiles(width: NoiseReduction.tileWidth, height: NoiseReduction.tileHeight)
      {
        let half = tile.halfSizeNeighbors
        let quarter = half.halfSizeNeighbors
        let known = quarter.expanded(by: MoireColor.reach).doubleSize.doubleSize
        work.load(source, known.union(tile.expanded(by: MoireMask.reach)), scale)
        MoireColor.smooth(work, tile: tile, half: half, quarter: quarter)
        finish(tile, into: buffer, origin: origin, work)
      }
    }
  }

  /// Blends the color of the tile with the smooth one in `work.smoothed`.
  private func finish(
    _ tile: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: NoiseWorkspace
  ) {
    let levels = work.levels[0]
    let zero = SIMD8<Float>(repeating: 0)
    let limit = 1 / saturation
    MoireMask.fill(work.moireMask, from: levels, over: tile)
    for y in tile.y..<tile.endY {
      let mask = work.moireMask.at(0, tile.x, y)
      let now = (0..<3).map { levels.at($0, tile.x, y) }
      let wide = (1..<3).map { work.smoothed.at($0, tile.x, y) }
      let stored = (0..<3).map { work.stored($0, tile.x, y) }
      let out = (0..<3).map { buffer.row($0, y - origin.y).from(tile.x - origin.x) }
      for x in vectors(tile.width) {
        let rgb = (stored[0].lanes(x), stored[1].lanes(x), stored[2].lanes(x))
        let peak = cv_max8(cv_max8(rgb.0 * limit.x, rgb.1 * limit.y), rgb.2 * limit.z)
        let weight = select(1 - peak .> 0, mask.lanes(x) * amount, zero)
        if cv_anyPositive8(weight) {
          let (luma, u, v) = (now[0].lanes(x), now[1].lanes(x), now[2].lanes(x))
          let old = NoiseColors.inverse(luma, u, v)
          let new = NoiseColors.inverse(
            luma, u + (wide[0].lanes(x) - u) * weight, v + (wide[1].lanes(x) - v) * weight)
          @inline(__always) func put(
            _ c: Int, _ x0: SIMD8<Float>, _ old: SIMD8<Float>, _ new: SIMD8<Float>
          ) {
            let change = scale.inverse(new, bias: zero) - scale.inverse(old, bias: zero)
            out[c].setLanes(x, select(weight .> 0, AnscombeTransform.finite(x0) + change, x0))
          }
          put(0, rgb.0, old.r, new.r)
          put(1, rgb.1, old.g, new.g)
          put(2, rgb.2, old.b, new.b)
        } else {
          out[0].setLanes(x, rgb.0)
          out[1].setLanes(x, rgb.1)
          out[2].setLanes(x, rgb.2)
        }
      }
    }
  }
}

/// Where ``MoireReduction`` detects false color: 0 none … 1 certain. Edges, along which a demosaic
/// may alternate too, are recognized by their slope.
enum MoireMask {
  /// Pixels that are read around each.
  static let reach = 4
  private static let radius = 2
  /// Above the mean second difference of pure noise, about 1.5 standard deviations after a
  /// demosaic.
  private static let noise: Float = 2

  /// Fills plane 0 of `mask` over `rect`; planes 1 and 2 are scratch memory.
  static func fill(_ mask: NoiseLayer, from picture: NoiseLayer, over rect: PixelRect) {
    let wide = rect.expanded(by: radius)
    mask.reshape(wide)
    for y in wide.y..<wide.endY {
      let luma = (-2...2).map { picture.at(0, wide.x, y + $0) }
      let (u, v) = (
        (-2...2).map { picture.at(1, wide.x, y + $0) },
        (-2...2).map { picture.at(2, wide.x, y + $0) }
      )
      let (pattern, color) = (mask.at(1, wide.x, y), mask.at(2, wide.x, y))
      for x in vectors(wide.width) {
        let middle = luma[2].lanes(x) + luma[2].lanes(x)
        let fine =
          cv_abs8(luma[2].lanes(x - 1) + luma[2].lanes(x + 1) - middle)
          + cv_abs8(luma[1].lanes(x) + luma[3].lanes(x) - middle)
        let change =
          cv_abs8(luma[2].lanes(x - 2) - luma[2].lanes(x + 2))
          + cv_abs8(luma[0].lanes(x) - luma[4].lanes(x))
        pattern.setLanes(x, fine - change * 0.5)
        color.setLanes(x, cv_max8(curvature(u, x), curvature(v, x)))
      }
    }
    sum(mask, picture, rect)
  }

  /// Second difference over four pixels, in both directions.
  @inline(__always)
  private static func curvature(_ rows: [MutableRowView], _ x: Int) -> SIMD8<Float> {
    let middle = rows[2].lanes(x) + rows[2].lanes(x)
    return cv_abs8(rows[2].lanes(x - 2) + rows[2].lanes(x + 2) - middle)
      + cv_abs8(rows[0].lanes(x) + rows[4].lanes(x) - middle)
  }

  /// Means over 5 × 5, and the mask made of them.
  private static func sum(_ mask: NoiseLayer, _ picture: NoiseLayer, _ rect: PixelRect) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    for y in rect.y..<rect.endY {
      let patterns = (-radius...radius).map { mask.at(1, rect.x, y + $0) }
      let colors = (-radius...radius).map { mask.at(2, rect.x, y + $0) }
      let luma = (-reach...reach).map { picture.at(0, rect.x, y + $0) }
      let out = mask.at(0, rect.x, y)
      for x in vectors(rect.width) {
        var (left, right, top, bottom, color) = (zero, zero, zero, zero, zero)
        for row in 0...2 * radius {
          let values = patterns[row]
          let before = values.lanes(x &- 2) + values.lanes(x &- 1)
          let after = values.lanes(x &+ 1) + values.lanes(x &+ 2)
          left += before
          right += after
          if row < radius { top += before + values.lanes(x) + after }
          if row > radius { bottom += before + values.lanes(x) + after }
          for dx in -radius...radius { color += colors[row].lanes(x &+ dx) }
        }
        // A pattern fills both halves, a blurred edge only one.
        var pattern = cv_min8(cv_min8(left, right), cv_min8(top, bottom)) * 2.5
        pattern -= slope(luma, x) * 2
        let fine = cv_clamp8(pattern * (0.04 / noise) - 1, zero, one)
        let wavy = cv_clamp8(color * (0.04 / noise) - 2, zero, one)
        out.setLanes(x, fine * wavy)
      }
    }
  }

  /// Sum over 5 × 5 of the signed change over four pixels: large at edges, while patterns cancel
  /// out.
  @inline(__always)
  private static func slope(_ rows: [MutableRowView], _ x: Int) -> SIMD8<Float> {
    var (across, down) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for step in 1...reach {
      for i in -radius...radius {
        across += rows[reach &+ i].lanes(x &+ step) - rows[reach &+ i].lanes(x &- step)
        down += rows[reach &+ step].lanes(x &+ i) - rows[reach &- step].lanes(x &+ i)
      }
    }
    return cv_abs8(across) + cv_abs8(down)
  }
}

/// Color without fine detail for ``MoireReduction``: at a quarter of the size the mean of 5 × 5
/// pixels, weighted by the difference of their luma, 1 / (1 + (difference / softness)²).
enum MoireColor {
  /// Quarter-size pixels that are read around each.
  static let reach = 2
  /// In standard deviations of noise.
  private static let softness: Float = 8

  /// Fills planes 1 and 2 of `work.smoothed` over `tile` from level 0 of `work`.
  static func smooth(_ work: NoiseWorkspace, tile: PixelRect, half: PixelRect, quarter: PixelRect) {
    let levels = work.levels
    levels[2].reshape(quarter.expanded(by: reach))
    levels[1].reshape(levels[2].rect.doubleSize)
    NoisePyramid.halve(levels[0], into: levels[1], planes: 0..<3)
    NoisePyramid.halve(levels[1], into: levels[2], planes: 0..<3)
    work.coarse.reshape(quarter)
    average(levels[2], into: work.coarse)
    NoisePyramid.enlarge(work.coarse, into: work.change, half, planes: 1..<3, line: work.line)
    NoisePyramid.enlarge(work.change, into: work.smoothed, tile, planes: 1..<3, line: work.line)
  }

  private static func average(_ layer: NoiseLayer, into out: NoiseLayer) {
    let rect = out.rect
    let one = SIMD8<Float>(repeating: 1)
    for y in rect.y..<rect.endY {
      let rows = (0..<3).map { plane in
        (-reach...reach).map { layer.at(plane, rect.x, y + $0) }
      }
      let (u, v) = (out.at(1, rect.x, y), out.at(2, rect.x, y))
      for x in vectors(rect.width) {
        let center = rows[0][reach].lanes(x)
        var (sumU, sumV, weights) = (one - one, one - one, one - one)
        for row in 0...2 * reach {
          for dx in -reach...reach {
            let difference = (rows[0][row].lanes(x &+ dx) - center) * (1 / softness)
            let weight = one / (one + difference * difference)
            sumU += rows[1][row].lanes(x &+ dx) * weight
            sumV += rows[2][row].lanes(x &+ dx) * weight
            weights += weight
          }
        }
        u.setLanes(x, sumU / weights)
        v.setLanes(x, sumV / weights)
      }
    }
  }
}
