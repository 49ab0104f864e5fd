import CVector
package import ImageCore
package import RawDecode

/// Flattens single bright or dark specks that noise does not explain.
///
/// ``DefectivePixels`` repairs photosites that stand far out of the mosaic around them; weaker
/// ones, and those of a file that was demosaiced elsewhere, are spots of up to 3 × 3 pixels here.
/// Formula: each channel is limited to the range of the sixteen pixels of the ring two pixels
/// around it, widened by t standard deviations of the noise, t = 4 / amount; values within stay bit
/// for bit, and so do saturated pixels. Units: balanced linear values. Known failure: stars and
/// glints without a halo are removed too.
package struct Despeckle: PixelSource {
  package typealias State = CameraRGB

  /// Pixels that are read on each side of a rectangle.
  package static let halo = 2
  /// t at amount 1.
  private static let minDeviations: Float = 4

  package let source: any PixelSource<CameraRGB>
  package let model: NoiseModel
  /// 0 (nothing changes) … 1.
  package let amount: Float
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { source.bandHeight }
  private let pool = WorkspacePool { NoiseWorkspace() }

  /// Valid amounts.
  package static let amounts: ClosedRange<Float> = 0...1

  /// Throws when `amount` is outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, amount: Float
  ) throws(RAWError) {
    guard Self.amounts.contains(amount) else {
      throw RAWError(.badSetting, .settings, "the despeckle amount \(amount) must be 0 to 1")
    }
    self.source = source
    self.model = model
    self.amount = amount
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) {
    guard amount > 0 else { return source.read(rect, into: buffer) }
    buffer.reshape(rect.size)
    pool.with { work in
      let layer = work.levels[0]
      work.copy(source, rect.expanded(by: Self.halo), into: layer)
      for c in 0..<3 {
        for y in rect.y..<rect.endY {
          let rows = (-2...2).map { layer.at(c, rect.x, y + $0) }
          limit(rows, count: rect.width, channel: c, into: buffer.row(c, y - rect.y))
        }
      }
    }
  }

  private func limit(
    _ rows: [MutableRowView], count: Int, channel: Int,
    into out: MutableRowView
  ) {
    let (shot, read) = (model.shot[channel], model.read[channel])
    let saturation = model.saturation[channel]
    let deviations = Self.minDeviations / amount
    let zero = SIMD8<Float>(repeating: 0)
    for x in vectors(count) {
      var low = rows[0].lanes(x - 2)
      var high = low
      @inline(__always) func add(_ row: Int, _ dx: Int) {
        let value = rows[row].lanes(x &+ dx)
        low = cv_min8(value, low)
        high = cv_max8(value, high)
      }
      for dx in -1...2 { add(0, dx) }
      for dx in -2...2 { add(4, dx) }
      for row in 1...3 {
        add(row, -2)
        add(row, 2)
      }
      high += cv_sqrt8(cv_max8(high, zero) * shot + read) * deviations
      low -= cv_sqrt8(cv_max8(low, zero) * shot + read) * deviations
      let value = rows[2].lanes(x)
      let limited = select(value - high .> 0, high, select(low - value .> 0, low, value))
      out.setLanes(x, select(saturation - value .> 0, limited, value))
    }
  }
}
