import CKernels
package import ImageCore
package import RawData

/// Flattens single bright or dark specks that noise does not explain.
///
/// ``NoiseOutliers`` repairs strong outliers of the mosaic; weaker ones, and those in a file
/// demosaiced by another program, are spots of up to 3 × 3 pixels here. Formula: each channel is
/// limited to the range of the sixteen pixels of the ring two pixels around it, widened by t
/// standard deviations of the noise, t = 4 / amount; values within it and saturated pixels are
/// unchanged. Units: balanced linear values. Known failure: stars and glints without a halo are
/// removed too.
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
    try Self.amounts.check(amount, "amount of despeckling")
    self.source = source
    self.model = model
    self.amount = amount
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard amount > 0 else { return try source.read(rect, into: buffer) }
    try buffer.reshape(rect.size)
    try pool.with { work throws(PixelError) in
      let layer = work.levels[0]
      try work.copy(source, rect.expanded(by: Self.halo), into: layer)
      for c in 0..<3 {
        var limits = ck_speckLimits(
          shot: model.shot[c], read: model.read[c], deviations: Self.minDeviations / amount,
          saturation: model.saturation[c])
        for y in rect.y..<rect.endY {
          let from = layer.at(c, rect.x, y)
            .kernel(rect.width, before: ck_limitSpecks_before, behind: ck_limitSpecks_behind)
          ck_limitSpecks(
            &limits, from, Int64(layer.stride), buffer.row(c, y - rect.y).kernel(rect.width),
            Int64(rect.width))
        }
      }
    }
  }
}
