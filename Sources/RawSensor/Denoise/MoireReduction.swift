import CKernels
package import ImageCore
package import RawData

/// Removes color moiré: false color of fine patterns.
///
/// Where a pattern is finer than the sampling of red and blue, the demosaic turns it into slow
/// waves of color. They are detected where both hold, over 5 × 5 pixels, on the scale of
/// ``AnscombeTransform``:
/// 1. luma alternates from pixel to pixel: its second difference is larger than half its change
///   over four pixels, which isolated edges do not cause, and than noise;
/// 2. color varies: its second difference over four pixels is larger than with noise.
/// There, with a weight that grows from 0 to amount, color becomes the mean of the surrounding 20 ×
/// 20 pixels, with lower weights for other luma. Elsewhere, and where a channel saturates, pixels
/// are unchanged. Known failure: real color of very fine patterns is lost too; waves wider than 20
/// pixels remain.
package struct MoireReduction: PixelSource {
  package typealias State = CameraRGB

  /// Maximum number of pixels that are read on each side of a rectangle.
  package static let halo = 32

  package let source: any PixelSource<CameraRGB>
  /// 0 (nothing changes) … 1.
  package let amount: Float
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { max(source.bandHeight, highBand) }
  /// Rectangles are processed in tiles of this size: the halo of smaller ones costs more.
  private static let tileWidth = 1024
  private static let tileHeight = 512
  let scale: AnscombeTransform
  let saturation: SIMD3<Float>
  private let pool = WorkspacePool { NoiseWorkspace() }

  /// Valid amounts.
  package static let amounts: ClosedRange<Float> = 0...1

  /// Throws when `amount` is outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, amount: Float
  ) throws(RAWError) {
    try Self.amounts.check(amount, "amount of moiré reduction")
    self.source = source
    self.amount = amount
    scale = AnscombeTransform(model)
    saturation = model.saturation
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard amount > 0 else { return try source.read(rect, into: buffer) }
    try buffer.reshape(rect.size)
    let origin = PixelPoint(x: rect.x, y: rect.y)
    try pool.with { work throws(PixelError) in
      for tile in rect.evenTiles(width: Self.tileWidth, height: Self.tileHeight) {
        let half = tile.halfSizeNeighbors
        let quarter = half.halfSizeNeighbors
        let known = quarter.expanded(by: MoireColor.reach).doubleSize.doubleSize
        try work.load(source, known.union(tile.expanded(by: MoireMask.reach)), scale)
        try MoireColor.smooth(work, tile: tile, half: half, quarter: quarter)
        try finish(tile, into: buffer, origin: origin, work)
      }
    }
  }

  /// Blends the color of the tile with the smooth one in `work.smoothed`.
  private func finish(
    _ tile: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: NoiseWorkspace
  ) throws(PixelError) {
    try MoireMask.fill(work.moireMask, from: work.levels[0], over: tile)
    var settings = ck_moire(
      scale: scale.kernel, perSaturation: ck_threeValues(1 / saturation), amount: amount)
    for y in tile.y..<tile.endY {
      ck_finishMoire(
        &settings, ck_threeRows(tile.width) { work.levels[0].at($0, tile.x, y) },
        ck_threeRows(tile.width) { work.smoothed.at($0, tile.x, y) },
        work.moireMask.at(0, tile.x, y).kernel(tile.width),
        ck_threeRows(tile.width) { work.stored($0, tile.x, y) },
        ck_threeRows(tile.width) { buffer.row($0, y - origin.y).from(tile.x - origin.x) },
        Int64(tile.width))
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
  static func fill(_ mask: NoiseLayer, from picture: NoiseLayer, over rect: PixelRect)
    throws(PixelError)
  {
    let wide = rect.expanded(by: radius)
    try mask.reshape(wide)
    for y in wide.y..<wide.endY {
      let rows = ck_threeRows(
        wide.width, before: ck_moirePatterns_before, behind: ck_moirePatterns_behind
      ) { picture.at($0, wide.x, y) }
      ck_moirePatterns(
        rows, Int64(picture.stride), mask.at(1, wide.x, y).kernel(wide.width),
        mask.at(2, wide.x, y).kernel(wide.width), Int64(wide.width))
    }
    for y in rect.y..<rect.endY {
      func row(_ layer: NoiseLayer, _ plane: Int) -> UnsafeMutablePointer<Float> {
        layer.at(plane, rect.x, y)
          .kernel(rect.width, before: ck_moireMask_before, behind: ck_moireMask_behind)
      }
      ck_moireMask(
        row(picture, 0), Int64(picture.stride), row(mask, 1), row(mask, 2), Int64(mask.stride),
        noise, row(mask, 0), Int64(rect.width))
    }
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
  static func smooth(_ work: NoiseWorkspace, tile: PixelRect, half: PixelRect, quarter: PixelRect)
    throws(PixelError)
  {
    let levels = work.levels
    try levels[2].reshape(quarter.expanded(by: reach))
    try levels[1].reshape(levels[2].rect.doubleSize)
    NoisePyramid.halve(levels[0], into: levels[1], planes: 0..<3)
    NoisePyramid.halve(levels[1], into: levels[2], planes: 0..<3)
    try work.coarse.reshape(quarter)
    average(levels[2], into: work.coarse)
    try NoisePyramid.enlarge(
      work.coarse, into: work.changes[0], half, planes: 1..<3, line: work.line)
    try NoisePyramid.enlarge(
      work.changes[0], into: work.smoothed, tile, planes: 1..<3, line: work.line)
  }

  private static func average(_ layer: NoiseLayer, into out: NoiseLayer) {
    let rect = out.rect
    for y in rect.y..<rect.endY {
      let rows = ck_threeRows(
        rect.width, before: ck_moireAverage_before, behind: ck_moireAverage_behind
      ) { layer.at($0, rect.x, y) }
      ck_moireAverage(
        rows, Int64(layer.stride), 1 / softness, out.at(1, rect.x, y).kernel(rect.width),
        out.at(2, rect.x, y).kernel(rect.width), Int64(rect.width))
    }
  }
}
