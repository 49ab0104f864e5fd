import CKernels
import Foundation
package import ImageCore
package import RawData

/// Denoises a picture in balanced camera RGB.
///
///     source ── AnscombeTransform ── noise of the same variance at every brightness
///            ── NoiseColors.h ────── luma and two color differences
///            ── BlockShrinkage ────── luma at full size; color at a quarter of the size, half
///                                    and full: each level gives the next its coarse part
///            ── inverse, preserving means; fading out at saturation, where noise is clipped
///
/// Reads up to ``halo`` pixels around a rectangle; beyond the borders the picture is mirrored. The
/// result does not depend on rectangles or threads. Amounts of zero return the source unchanged.
/// Works the same on reduced pictures, whose spectrum has less noise. Saturated pixels keep their
/// value: pixels whose result reaches the saturation of any channel, or whose source is a quarter
/// above. Known limits: detail fainter than noise is removed with it; single outliers beyond noise
/// remain (``Despeckle``).
package struct NoiseReduction: PixelSource {
  package typealias State = CameraRGB

  /// Maximum number of pixels that are read on each side of a rectangle.
  package static let halo = 72
  /// Thresholds in standard deviations at amount 1: luma, color at full size, color below.
  static let strengths: (luminance: Float, color: Float, coarseColor: Float) = (2.7, 3, 2)
  /// How noise is separated from the picture.
  package enum Method: Sendable, Hashable {
    case shrinkage
    /// With stronger second passes, which measure better behind X-Trans filters.
    case xTransShrinkage

    /// The method for pictures of `layout`.
    package init(for layout: SensorData.Layout) {
      self = .shrinkage
      if case .mosaic(let cfa) = layout, cfa.kind == .xTrans { self = .xTransShrinkage }
    }

    /// k of the Wiener filters at amount 1.
    private var wiener: (luminance: Float, color: Float) {
      self == .xTransShrinkage ? (2, 1.6) : (1.5, 1.2)
    }

    fileprivate func luminance(_ spectrum: [Float], amount: Float) -> BlockShrinkage {
      BlockShrinkage(
        spectrum: spectrum, strength: strengths.luminance * amount,
        wiener: wiener.luminance * amount * amount, grid: .full)
    }

    fileprivate func color(_ spectrum: [Float], amount: Float, level: Int) -> BlockShrinkage {
      let isFull = level == 0
      // A second pass at lower levels would need many more pixels around a rectangle.
      return BlockShrinkage(
        spectrum: spectrum, strength: (isFull ? strengths.color : strengths.coarseColor) * amount,
        wiener: isFull ? wiener.color * amount * amount : nil, grid: isFull ? .quincunx : .full)
    }
  }

  /// Rectangles are processed in tiles of this width.
  private static let tileWidth = 2048
  /// Rows of a tile, which keeps the rows that the next one below needs. Few, because every layer
  /// holds this many rows in addition to those around a tile.
  private static let tileHeight = 32
  /// Rows for which the source is read at once; fewer take it more time per row.
  private static let readHeight = 64
  /// Rows by which the input of tiles of the same height may differ.
  private static let unevenness = 16

  package let source: any PixelSource<CameraRGB>
  package let amounts: NoiseAmounts
  package var size: PixelSize { source.size }
  package var info: CameraRGB.Info { source.info }
  package var bandHeight: Int { source.bandHeight }

  let scale: AnscombeTransform
  let saturation: SIMD3<Float>
  /// Nil if luma is not changed.
  let luminance: BlockShrinkage?
  /// The two color planes at full, half and quarter size; empty if color is not changed.
  let color: [[BlockShrinkage]]
  /// Bias of each channel, and the fraction of it that the removed noise accounts for.
  let bias: [InverseBias]
  let removedFraction: Float
  private let pool = WorkspacePool { NoiseWorkspace() }

  /// `source` with noise as `model` and `spectrum` describe it, which must have been made for
  /// the same model. Throws when an amount is outside its range.
  package init(
    _ source: any PixelSource<CameraRGB>, model: NoiseModel, spectrum: NoiseSpectrum,
    amounts: NoiseAmounts, method: Method = .shrinkage
  ) throws(RAWError) {
    try NoiseAmounts.range.check(amounts.luminance, "amount of luminance noise reduction")
    try NoiseAmounts.range.check(amounts.color, "amount of color noise reduction")
    self.source = source
    self.amounts = amounts
    scale = AnscombeTransform(model)
    saturation = model.saturation
    let strengths = Self.strengths
    luminance =
      amounts.luminance > 0
      ? method.luminance(spectrum.levels[0][0], amount: amounts.luminance) : nil
    color =
      amounts.color > 0
      ? (0..<NoiseSpectrum.levelCount).map { level in
        (1...2).map { plane in
          method.color(spectrum.levels[level][plane], amount: amounts.color, level: level)
        }
      } : []
    bias = spectrum.bias
    removedFraction =
      (Self.varianceBelow(strengths.luminance * amounts.luminance) + 2
        * Self.varianceBelow(strengths.color * amounts.color)) / 3
  }

  /// Fraction of the variance of a Gaussian that lies below `t` standard deviations.
  private static func varianceBelow(_ t: Float) -> Float {
    let z = max(t, 0)
    let cumulative = 1 / (1 + exp2(-1.4426950 * z * (1.5976 + 0.07056 * z * z)))
    let density = 0.3989423 * exp2(-0.7213475 * z * z)
    return max(2 * cumulative - 1 - 2 * z * density, 0)
  }

  /// Reshapes `buffer` to the size of `rect`, which must lie in the picture, and fills it.
  package func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    guard luminance != nil || !color.isEmpty else { return try source.read(rect, into: buffer) }
    try buffer.reshape(rect.size)
    let columns = rect.evenTiles(width: Self.tileWidth, height: .max)
    for (part, column) in columns.enumerated() {
      try pool.keeping(part: part) { work throws(PixelError) in
        for strip in column.evenTiles(width: .max, height: Self.readHeight) {
          for tile in strip.evenTiles(width: .max, height: Self.tileHeight) {
            try smooth(tile, of: strip, work)
            finish(tile, into: buffer, origin: PixelPoint(x: rect.x, y: rect.y), work)
          }
        }
      }
    }
  }

  /// Fills `work.smoothed` with the denoised luma and color of the tile, part of the `strip` for
  /// which the source is read. Only rows that the tile above has not left in a layer are computed.
  private func smooth(_ tile: PixelRect, of strip: PixelRect, _ work: NoiseWorkspace)
    throws(PixelError)
  {
    let levels = work.levels
    try work.smoothed.reshape(tile)
    let input = input(for: tile)
    try work.load(
      source, input, scale,
      reuse: NoiseWorkspace.Reuse(
        tile: tile, rows: input.height + Self.unevenness, strip: strip,
        end: self.input(for: strip).endY))
    if let luminance {
      try luminance.apply(levels[0], 0, to: work.smoothed, rect: tile, work: work)
    } else {
      copy(levels[0], 0..<1, to: work.smoothed)
    }
    guard !color.isEmpty else { return copy(levels[0], 1..<3, to: work.smoothed) }
    let areas = areas(for: tile)
    for level in 1...2 {
      let fresh = try hold(areas.known[level], in: levels[level])
      NoisePyramid.halve(levels[level - 1], into: levels[level], fresh, planes: 1..<3)
    }
    try change(levels[2], 2, areas.made[2], work)
    for level in [1, 0] {
      let corrected = work.corrected[level]
      let fresh = try hold(color[level][0].input(for: areas.made[level]), in: corrected)
      NoisePyramid.add(
        work.changes[level], to: levels[level], into: corrected, fresh, planes: 1..<3,
        line: work.line)
      if level == 1 { try change(corrected, 1, areas.made[1], work) }
    }
    for plane in 1..<3 {
      try color[0][plane - 1].apply(
        work.corrected[0], plane, to: work.smoothed, rect: tile, work: work)
    }
  }

  /// Makes `layer` hold `rect`; returns the part to compute.
  private func hold(_ rect: PixelRect, in layer: NoiseLayer) throws(PixelError) -> PixelRect {
    try layer.slide(to: rect, most: rect.height + Self.unevenness)
  }

  /// Pixels that are read to make `tile`.
  private func input(for tile: PixelRect) -> PixelRect {
    var area = tile
    if let luminance { area = area.union(luminance.input(for: tile)) }
    if !color.isEmpty { area = area.union(areas(for: tile).known[0]) }
    return area
  }

  /// For each level the part that is computed, and its input.
  private func areas(for tile: PixelRect) -> (made: [PixelRect], known: [PixelRect]) {
    var made = [tile]
    for level in 0..<2 {
      made.append(color[level][0].input(for: made[level]).halfSizeNeighbors)
    }
    let quarter = color[2][0].input(for: made[2])
    let half = quarter.doubleSize.union(color[1][0].input(for: made[1]))
    let full = half.doubleSize.union(color[0][0].input(for: tile))
    return (made, [full, half, quarter])
  }

  /// Computes `rect` of the change of `level`, whose color is in `layer`, by denoising.
  private func change(
    _ layer: NoiseLayer, _ level: Int, _ rect: PixelRect, _ work: NoiseWorkspace
  ) throws(PixelError) {
    let change = work.changes[level - 1]
    let fresh = try hold(rect, in: change)
    guard !fresh.isEmpty else { return }
    try work.coarse.reshape(fresh)
    for plane in 1..<3 {
      try color[level][plane - 1].apply(layer, plane, to: work.coarse, rect: fresh, work: work)
    }
    NoisePyramid.subtract(
      work.levels[level], from: work.coarse, into: change, fresh, planes: 1..<3)
  }

  private func copy(_ layer: NoiseLayer, _ planes: Range<Int>, to output: NoiseLayer) {
    let rect = output.rect
    for plane in planes {
      for y in rect.y..<rect.endY {
        output.at(plane, rect.x, y).update(from: layer.at(plane, rect.x, y), count: rect.width)
      }
    }
  }

  /// Back to linear RGB; near saturation back to the source.
  private func finish(
    _ tile: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: NoiseWorkspace
  ) {
    InverseBias.withKernels(bias) { biases in
      var inverse = ck_noiseInverse(
        scale: scale.kernel, bias: biases, removedFraction: removedFraction,
        perSaturation: ck_threeValues(1 / saturation))
      for y in tile.y..<tile.endY {
        func rows(_ row: (Int) -> MutableRowView) -> ck_threeRows {
          ck_threeRows(tile.width, behind: ck_finishNoise_behind, row)
        }
        ck_finishNoise(
          &inverse, rows { work.smoothed.at($0, tile.x, y) },
          rows { work.stored($0, tile.x, y) },
          rows { buffer.row($0, y - origin.y).from(tile.x - origin.x) }, Int64(tile.width))
      }
    }
  }
}
