import CVector
package import ImageCore

/// Takes false color out of fine patterns.
///
/// Where a pattern is finer than the raster of red and blue, the demosaic makes slow waves of color
/// of it. They are looked for where both hold, over 5 × 5 pixels, on the scale of
/// ``NoiseStabilization``:
/// 1. brightness alternates from pixel to pixel: its second difference is larger than half its
///   change over four pixels, which lone edges do not bring about, and than noise;
/// 2. color varies: its second difference over four pixels is larger than that of noise.
/// There, by a share that grows from 0 to amount, color becomes the mean of 20 × 20 pixels around,
/// those of other brightness counting less. Elsewhere, and where a channel saturates, pixels stay
/// bit for bit. Known failure: real color of very fine patterns goes too; waves wider than 20
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
  let scale: NoiseStabilization
  let saturation: SIMD3<Float>
  private let pool = NoiseWorkspacePool()

  /// What `amount` takes.
  static let amounts: ClosedRange<Float> = 0...1

  /// Throws when `amount` is outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, amount: Float
  ) throws(RAWError) {
    guard Self.amounts.contains(amount) else {
      throw RAWError(.badSetting, .settings, "the moiré reduction \(amount) must be 0 to 1")
    }
    self.source = source
    self.amount = amount
    scale = NoiseStabilization(model)
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
        MoireColor.spread(work, tile: tile, half: half, quarter: quarter)
        finish(tile, into: buffer, origin: origin, work)
      }
    }
  }

  /// Mixes the wide color in `work.smoothed` with that of the tile.
  private func finish(
    _ tile: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: NoiseWorkspace
  ) {
    let levels = work.levels[0]
    let zero = SIMD8<Float>(repeating: 0)
    let limit = 1 / saturation
    MoireMask.fill(work.corrected, from: levels, over: tile)
    for y in tile.y..<tile.endY {
      let mask = work.corrected.at(0, tile.x, y)
      let now = (0..<3).map { levels.at($0, tile.x, y) }
      let wide = (1..<3).map { work.smoothed.at($0, tile.x, y) }
      let stored = (0..<3).map { work.stored($0, tile.x, y) }
      let out = (0..<3).map { buffer.row($0, y - origin.y).from(tile.x - origin.x) }
      for x in vectors(tile.width) {
        let rgb = (stored[0].lanes(x), stored[1].lanes(x), stored[2].lanes(x))
        let peak = cv_max8(cv_max8(rgb.0 * limit.x, rgb.1 * limit.y), rgb.2 * limit.z)
        let share = select(1 - peak .> 0, mask.lanes(x) * amount, zero)
        if cv_anyPositive8(share) {
          let (luma, u, v) = (now[0].lanes(x), now[1].lanes(x), now[2].lanes(x))
          let old = NoiseColors.inverse(luma, u, v)
          let new = NoiseColors.inverse(
            luma, u + (wide[0].lanes(x) - u) * share, v + (wide[1].lanes(x) - v) * share)
          @inline(__always) func mixed(
            _ c: Int, _ x0: SIMD8<Float>, _ old: SIMD8<Float>, _ new: SIMD8<Float>
          ) {
            let change = scale.inverse(new, excess: zero) - scale.inverse(old, excess: zero)
            out[c].setLanes(x, select(share .> 0, NoiseStabilization.whole(x0) + change, x0))
          }
          mixed(0, rgb.0, old.r, new.r)
          mixed(1, rgb.1, old.g, new.g)
          mixed(2, rgb.2, old.b, new.b)
        } else {
          out[0].setLanes(x, rgb.0)
          out[1].setLanes(x, rgb.1)
          out[2].setLanes(x, rgb.2)
        }
      }
    }
  }
}
