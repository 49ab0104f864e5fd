import CKernels
import ImageCore

/// The windows of a picture in which ``LateralColorFit`` compares colors: of each tile of the
/// reduced picture the one with the strongest edges, on the scale of square roots, smoothed.
///
/// Tiles divide the picture evenly. Only `lines` rows of windows in the middle of each are
/// examined, which saves two fifths of the reading of a large picture and changes its fit by 0.03
/// pixels.
///
/// A window has `side`² superpixels and `margin` around it, which smoothing, gradients, cubic
/// interpolation and shifts of up to two superpixels need. Windows in or beside which a channel
/// saturates are skipped: reconstructed highlights are not at the position of the original.
struct LateralWindow: Sendable {
  static let margin = 6
  /// Photosites along a window, about.
  private static let span = 24
  /// Tiles of a picture, about.
  private static let tileCount = 1600.0
  /// Rows of windows of a tile from which one is chosen.
  private static let lines = 2
  /// Fraction of the saturation above which values may be clipped.
  private static let brightest: Float = 0.95
  /// Added before the square root, so that noise at black stays small.
  private static let floor: Float = 1e-3

  /// First superpixel of the window.
  let x: Int
  let y: Int
  /// Planes of red, green and blue in rows of ``stride``, including the margin.
  let planes: [[Float]]
  let side: Int
  var stride: Int { side + 2 * Self.margin }

  /// The windows of a picture of `size` superpixels, which `read` reads; `factor`: photosites along
  /// a superpixel; `saturation` of each channel. Their order does not depend on the number of
  /// workers.
  static func windows(
    _ size: PixelSize, factor: Int, saturation: SIMD3<Float>, workers: Int,
    read: @Sendable (PixelRect, PlanarBuffer) throws(PixelError) -> Void
  ) throws(PixelError) -> [LateralWindow] {
    let side = max(span / factor, 6)
    let usable = PixelRect(size).expanded(by: -margin)
    guard usable.width >= side, usable.height >= side else { return [] }
    let tile = max(side, Int((Double(usable.width * usable.height) / tileCount).squareRoot()))
    let rows = (usable.height - side) / tile + 1
    let limit = saturation * brightest
    let buffers = BufferPool()
    let roots = WorkspacePool { TilePlane() }
    return try Parallel.map(count: rows, workers: workers) {
      row throws(PixelError) -> [LateralWindow] in
      let tileHeight = min(tile, usable.endY - usable.y - row * tile)
      let height = min(tileHeight, lines * side)
      let top = usable.y + row * tile + (tileHeight - height) / 2
      let band = PixelRect(x: 0, y: top, width: size.width, height: height).expanded(by: margin)
        .intersection(PixelRect(size))
      return try buffers.withBuffer(band.size) { pixels throws(PixelError) in
        try read(band, pixels)
        return try roots.with { roots throws(PixelError) in
          try fill(roots, pixels)
          return chosen(
            from: pixels, roots, band, usable, top..<top + height, tile: tile, side, limit)
        }
      }
    }.flatMap { $0 }
  }

  /// The chosen window within `rows` of each tile of `band`, which `pixels` hold; `roots`: of
  /// green.
  private static func chosen(
    from pixels: PlanarBuffer, _ roots: TilePlane, _ band: PixelRect, _ usable: PixelRect,
    _ rows: Range<Int>, tile: Int, _ side: Int, _ limit: SIMD3<Float>
  ) -> [LateralWindow] {
    var found: [LateralWindow] = []
    for left in Swift.stride(from: usable.x, through: usable.endX - side, by: tile) {
      var best: (score: Float, x: Int, y: Int)?
      for y in Swift.stride(from: rows.lowerBound, through: rows.upperBound - side, by: side) {
        let end = min(left + tile, usable.endX) - side
        for x in Swift.stride(from: left, through: end, by: side) {
          let score = edges(roots, x: x, y: y - band.y, side: side)
          guard score > best?.score ?? 0 else { continue }
          if isBelow(limit, pixels, x: x, y: y - band.y, side: side) { best = (score, x, y) }
        }
      }
      guard let best else { continue }
      found.append(
        LateralWindow(
          x: best.x, y: best.y,
          planes: (0..<3).map { smoothed(pixels, best, band, side, $0) },
          side: side))
    }
    return found
  }

  private static func fill(_ roots: TilePlane, _ pixels: PlanarBuffer) throws(PixelError) {
    try roots.reshape(PixelRect(pixels.size))
    for y in 0..<pixels.size.height {
      ck_windowRoots(
        pixels.row(1, y).start, floor, roots.row(y).start, Int64(pixels.size.width))
    }
  }

  /// Whether no channel is saturated in the window and its margin.
  private static func isBelow(
    _ limit: SIMD3<Float>, _ pixels: PlanarBuffer, x: Int, y: Int, side: Int
  ) -> Bool {
    let width = side + 2 * margin
    for c in 0..<3 {
      let limit = SIMD8<Float>(repeating: limit[c])
      var isReached = LaneMask(repeating: false)
      for row in y - margin..<y + side + margin {
        let values = pixels.row(c, row).from(x - margin)
        // The last vector may overlap the one before.
        for i in vectors(width) { isReached .|= values.lanes(min(i, width - 8)) .>= limit }
      }
      if isReached != LaneMask(repeating: false) { return false }
    }
    return true
  }

  /// Squared steps of `roots`.
  private static func edges(_ roots: TilePlane, x: Int, y: Int, side: Int) -> Float {
    var sum: Float = 0
    let from = roots.row(y).from(x).kernel(side, behind: ck_windowEdges_behind)
    ck_windowEdges(from, Int64(roots.stride), Int64(side), &sum)
    return sum
  }

  /// Roots of channel `c` in the window and its margin, smoothed by (1, 2, 1)/4 along both axes.
  private static func smoothed(
    _ pixels: PlanarBuffer, _ window: (score: Float, x: Int, y: Int),
    _ band: PixelRect, _ side: Int, _ c: Int
  ) -> [Float] {
    let stride = side + 2 * margin
    let values = pixels.row(c, window.y - band.y - margin).from(window.x - margin)
    return [Float](
      unsafeUninitializedCapacity: stride * stride + ck_smoothWindow_behind
    ) { out, count in
      guard let start = out.baseAddress else { return }
      let from = values.kernel(stride, behind: ck_smoothWindow_behind)
      ck_smoothWindow(from, Int64(pixels.stride), floor, Int64(stride), start)
      count = stride * stride
    }
  }
}
