import CKernels
import ImageCore

/// Working memory of one reader of ``NoiseReduction``, ``MoireReduction`` or ``Despeckle``, reused
/// for its next tile. Layers are named by their role in the first.
final class NoiseWorkspace {
  /// Part of the source, unchanged.
  private let source = RowWindow()
  /// Luma and color of the source at full, half and quarter size.
  let levels = [NoiseLayer(), NoiseLayer(), NoiseLayer()]
  /// Color at full and half size with the coarse part of the level below.
  let corrected = [NoiseLayer(), NoiseLayer()]
  /// Plane 0: where ``MoireReduction`` finds false color; the others are its scratch.
  var moireMask: NoiseLayer { corrected[0] }
  /// A denoised level, and the changes of half and quarter size, which are added to the level
  /// above.
  let coarse = NoiseLayer()
  let changes = [NoiseLayer(), NoiseLayer()]
  let smoothed = NoiseLayer()
  /// One row, while a level is enlarged.
  private let linePlane = TilePlane()
  var line: MutableRowView { linePlane.row(0) }

  /// Source sample at column `x` of row `y`, which lies in the picture.
  func stored(_ plane: Int, _ x: Int, _ y: Int) -> MutableRowView {
    source.rows(y)[plane].from(x - source.rect.x)
  }

  /// Fills level 0 with `rect` of `picture`, mirrored beyond its borders, as colors on `scale`;
  /// rows that it can `reuse` are not computed again.
  func load(
    _ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, _ scale: AnscombeTransform,
    reuse: Reuse? = nil
  ) throws(PixelError) {
    let layer = levels[0]
    let fresh = try read(picture, rect, into: layer, reuse)
    try linePlane.reshape(PixelRect(x: 0, y: 0, width: rect.width + 32, height: 1))
    fill(layer, fresh, picture.size) { from, to, count in
      let behind = ck_loadNoiseColors_behind
      ck_loadNoiseColors(
        scale.kernel, ck_threeRows(count, behind: behind) { from[$0] },
        ck_threeRows(count, behind: behind) { to[$0] }, Int64(count))
    }
  }

  /// For tiles that are read from top to bottom: the tile, and the maximum number of rows of a
  /// layer; the strip of tiles for which the picture is read at once, and the end row of its input.
  struct Reuse {
    let tile: PixelRect
    let rows: Int
    let strip: PixelRect
    let end: Int
  }

  /// Fills `layer` with `rect` of `picture`, mirrored beyond its borders.
  func copy(_ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, into layer: NoiseLayer)
    throws(PixelError)
  {
    let fresh = try read(picture, rect, into: layer, nil)
    fill(layer, fresh, picture.size) { from, to, count in
      for plane in 0..<3 { to[plane].update(from: from[plane], count: count) }
    }
  }

  /// Returns the part of `layer` to fill.
  private func read(
    _ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, into layer: NoiseLayer,
    _ reuse: Reuse?
  ) throws(PixelError) -> PixelRect {
    // The mirrored pixels must be read too, or the result would depend on rectangles.
    let (width, height) = (picture.size.width, picture.size.height)
    let mirrored = PixelRect.spanning(
      x: rect.endX > width ? min(rect.x, 2 * width - rect.endX) : rect.x,
      endX: max(rect.endX, -rect.x),
      y: rect.endY > height ? min(rect.y, 2 * height - rect.endY) : rect.y,
      endY: max(rect.endY, -rect.y))
    let known = mirrored.intersection(PixelRect(picture.size))
    let area = rect.union(known)
    guard let reuse else {
      try source.slide(to: known, of: picture, step: max(known.height, 1), most: rect.height)
      try layer.reshape(area)
      return area
    }
    let fresh = try layer.slide(to: area, most: reuse.rows)
    // Rows above the tile are only read again as a mirror image.
    let image = reuse.end > height ? 2 * height - reuse.end : height
    let first = max(known.y, min(reuse.tile.y, fresh.y, image))
    let end = max(min(reuse.end, height), known.endY)
    try source.slide(
      to: PixelRect(x: known.x, y: first, width: known.width, height: end - first), of: picture,
      step: reuse.strip.height,
      most: reuse.rows - (reuse.tile.y - rect.y) + reuse.strip.height - reuse.tile.height)
    return fresh
  }

  /// Fills each row of `fresh`, part of `layer`, by `convert(from, to, count)`, then mirrors it
  /// beyond `size`.
  private func fill(
    _ layer: NoiseLayer, _ fresh: PixelRect, _ size: PixelSize,
    _ convert: ([MutableRowView], [MutableRowView], Int) -> Void
  ) {
    let (rect, known) = (layer.rect, source.rect)
    for y in fresh.y..<fresh.endY {
      let sourceY = Self.mirrored(y, size.height, known.y, known.endY)
      let from = (0..<3).map { stored($0, known.x, sourceY) }
      let to = (0..<3).map { layer.at($0, known.x, y) }
      convert(from, to, known.width)
      for row in to {
        for x in [rect.x..<known.x, known.endX..<rect.endX].joined() {
          let sourceX = Self.mirrored(x, size.width, known.x, known.endX)
          row[x - known.x] = row[sourceX - known.x]
        }
      }
    }
  }

  /// The mirror image of `i` within 0..<count, which lies in `low..<high`.
  private static func mirrored(_ i: Int, _ count: Int, _ low: Int, _ high: Int) -> Int {
    let phase = floorModulo(i, 2 * count)
    return min(max(phase < count ? phase : 2 * count - 1 - phase, low), high - 1)
  }
}
