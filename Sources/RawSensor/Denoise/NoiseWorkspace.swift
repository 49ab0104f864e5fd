import CKernels
import ImageCore

/// Working memory of one reader of ``NoiseReduction``, ``MoireReduction`` or ``Despeckle``, reused
/// for its next tile. Layers are named by their role in the first.
final class NoiseWorkspace {
  /// Part of the source, unchanged.
  private let source = PlanarBuffer(size: PixelSize(width: 0, height: 0))
  private var sourceRect = PixelRect(x: 0, y: 0, width: 0, height: 0)
  /// Luma and color of the source at full, half and quarter size.
  let levels = [NoiseLayer(), NoiseLayer(), NoiseLayer()]
  /// Color of a level with the coarse part of the level below.
  let corrected = NoiseLayer()
  /// Plane 0: where ``MoireReduction`` finds false color; the others are its scratch.
  var moireMask: NoiseLayer { corrected }
  /// The denoised level, and its change, which the level above is given.
  let coarse = NoiseLayer()
  let change = NoiseLayer()
  let smoothed = NoiseLayer()
  let blocks = BlockRow()
  let cells = CellRows()
  /// A row of one level on its way to the next.
  private let linePlane = TilePlane()
  var line: MutableRowView { linePlane.row(0) }

  /// Source sample at column `x` of row `y`, which lies in the picture.
  func stored(_ plane: Int, _ x: Int, _ y: Int) -> MutableRowView {
    source.row(plane, y - sourceRect.y).from(x - sourceRect.x)
  }

  /// Fills level 0 with `rect` of `picture`, mirrored beyond its borders, as colors on `scale`.
  func load(
    _ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, _ scale: AnscombeTransform
  ) {
    let layer = levels[0]
    read(picture, rect, into: layer)
    linePlane.reshape(PixelRect(x: 0, y: 0, width: rect.width + 32, height: 1))
    fill(layer, picture.size) { from, to, count in
      ck_loadNoiseColors(
        scale.kernel, ck_threeRows { from[$0] }, ck_threeRows { to[$0] }, Int64(count))
    }
  }

  /// Fills `layer` with `rect` of `picture`, mirrored beyond its borders.
  func copy(_ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, into layer: NoiseLayer) {
    read(picture, rect, into: layer)
    fill(layer, picture.size) { from, to, count in
      for plane in 0..<3 { to[plane].update(from: from[plane], count: count) }
    }
  }

  private func read(
    _ picture: any PixelSource<CameraRGB>, _ rect: PixelRect, into layer: NoiseLayer
  ) {
    // The mirrored pixels must be read too, or the result would depend on rectangles.
    let (width, height) = (picture.size.width, picture.size.height)
    let mirrored = PixelRect.spanning(
      x: rect.endX > width ? min(rect.x, 2 * width - rect.endX) : rect.x,
      endX: max(rect.endX, -rect.x),
      y: rect.endY > height ? min(rect.y, 2 * height - rect.endY) : rect.y,
      endY: max(rect.endY, -rect.y))
    sourceRect = mirrored.intersection(PixelRect(picture.size))
    picture.read(sourceRect, into: source)
    layer.reshape(rect.union(sourceRect))
  }

  /// Makes each row of `layer` by `convert(from, to, count)`, then mirrors it beyond `size`.
  private func fill(
    _ layer: NoiseLayer, _ size: PixelSize,
    _ convert: ([MutableRowView], [MutableRowView], Int) -> Void
  ) {
    let rect = layer.rect
    for y in rect.y..<rect.endY {
      let sourceY = Self.mirrored(y, size.height, sourceRect.y, sourceRect.endY)
      let from = (0..<3).map { stored($0, sourceRect.x, sourceY) }
      let to = (0..<3).map { layer.at($0, sourceRect.x, y) }
      convert(from, to, sourceRect.width)
      for row in to {
        for x in [rect.x..<sourceRect.x, sourceRect.endX..<rect.endX].joined() {
          let sourceX = Self.mirrored(x, size.width, sourceRect.x, sourceRect.endX)
          row[x - sourceRect.x] = row[sourceX - sourceRect.x]
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
