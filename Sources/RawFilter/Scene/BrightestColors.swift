import ImageCore
import RawSensor

/// The brightest pixel of each color of a camera picture, for the brightest value behind the tables
/// of a profile. Tables change hue, saturation and value by color, so nothing bounds their result
/// from a block of pixels; but pixels of one color keep their order. One pass over the picture
/// serves every exposure, white and table.
///
/// A color is a cell of the chromaticity diagram (r, g) / (r + g + b) in ``steps`` × ``steps``
/// cells, negative channels counted as 0, and of each tile of the picture where the scene depends
/// on the position (a gain table map). Brightness is r + g + b, of equally bright pixels the first
/// counts; so the result does not depend on how the picture is read.
///
/// Error: colors of one cell differ by 1 / ``steps`` of the sum, so that a channel of a pixel that
/// is not kept may be larger by up to 3 / ``steps``, 2.4 %, where a picture has all shades of a
/// color equally bright.
struct BrightestColors: Sendable {
  private struct Pixel: Sendable {
    /// Its cell and tile.
    var key: Int
    var sum: Float
    var x: Int
    var y: Int
    var rgb: SIMD3<Float>
  }

  /// Cells along each axis of the diagram.
  private static let steps = 128
  /// Tiles along each side of the picture.
  private static let tiles = 16

  private let pixels: [Pixel]
  private let dependsOnPosition: Bool

  /// Reads all of `source`.
  init(
    _ source: any PixelSource<CameraRGB>, dependsOnPosition: Bool, workers: Int
  ) throws(PixelError) {
    self.dependsOnPosition = dependsOnPosition
    let size = source.size
    let side =
      dependsOnPosition
      ? PixelSize(
        width: (size.width + Self.tiles - 1) / Self.tiles,
        height: (size.height + Self.tiles - 1) / Self.tiles) : size
    let parts = try source.measured(workers: workers) { buffer, part in
      PixelRect(size).tiles(width: side.width, height: side.height).enumerated().flatMap {
        index, tile in
        let rect = tile.intersection(part)
        return rect.isEmpty ? [] : Self.brightest(of: rect, in: buffer, of: part, tile: index)
      }
    }
    var brightest: [Int: Pixel] = [:]
    for pixel in parts.joined() {
      if let other = brightest[pixel.key], !Self.isBefore(pixel, other) { continue }
      brightest[pixel.key] = pixel
    }
    pixels = Array(brightest.values)
  }

  /// Whether `a` is kept, not `b`.
  private static func isBefore(_ a: Pixel, _ b: Pixel) -> Bool {
    (a.sum, b.y, b.x) > (b.sum, a.y, a.x)
  }

  /// The brightest pixel of each color in `rect`, of `buffer`, which holds `part`.
  private static func brightest(
    of rect: PixelRect, in buffer: PlanarBuffer, of part: PixelRect, tile: Int
  ) -> [Pixel] {
    let count = steps * steps
    var sums = [Float](repeating: 0, count: count)
    var positions = [Int32](repeating: 0, count: count)
    let last = SIMD8<Float>(repeating: Float(steps - 1))
    sums.withUnsafeMutableBufferPointer { sums in
      positions.withUnsafeMutableBufferPointer { positions in
        for y in rect.y..<rect.endY {
          let rows = buffer.rows(y - part.y)
          var x = rect.x
          while x < rect.endX {
            // The last eight pixels once more rather than fewer.
            let first = max(min(x, rect.endX - 8), rect.x)
            let lanes = min(8, rect.endX - first)
            x = first + lanes
            let pixel =
              lanes == 8
              ? rows.lanes(first - part.x) : partial(rows, from: first - part.x, lanes)
            let red = pointwiseMax(pixel.red, .zero)
            let green = pointwiseMax(pixel.green, .zero)
            let sum = red + green + pointwiseMax(pixel.blue, .zero)
            let scale = Float(steps) / sum
            // NaN and infinite values are in the first cell.
            let u = pointwiseMin(pointwiseMax(red * scale, .zero), last)
            let v = pointwiseMin(pointwiseMax(green * scale, .zero), last)
            for lane in 0..<lanes where sum[lane] > 0 {
              let cell =
                sum[lane] < .infinity ? Int(v[lane]) &* steps &+ Int(u[lane]) : 0
              guard sum[lane] > sums[cell] else { continue }
              sums[cell] = sum[lane]
              positions[cell] = Int32(
                truncatingIfNeeded: (y - rect.y) * rect.width + first - rect.x + lane)
            }
          }
        }
      }
    }
    return (0..<count).compactMap { cell in
      guard sums[cell] > 0 else { return nil }
      let (y, x) = Int(positions[cell]).quotientAndRemainder(dividingBy: rect.width)
      let rows = buffer.rows(rect.y + y - part.y)
      let column = rect.x + x - part.x
      return Pixel(
        key: tile * count + cell, sum: sums[cell], x: rect.x + x, y: rect.y + y,
        rgb: SIMD3(rows.red[column], rows.green[column], rows.blue[column]))
    }
  }

  /// The pixels at columns `start` to `start + count`, black behind them.
  private static func partial(_ rows: RGBRows, from start: Int, _ count: Int) -> RGBLanes {
    var lanes = RGBLanes(.zero, .zero, .zero)
    for lane in 0..<count {
      lanes.red[lane] = rows.red[start + lane]
      lanes.green[lane] = rows.green[start + lane]
      lanes.blue[lane] = rows.blue[start + lane]
    }
    return lanes
  }

  /// The largest channel that `scene` makes of these pixels of its camera picture, at least 0.
  func peak(in scene: ScenePipeline) throws(PixelError) -> Float {
    guard !pixels.isEmpty else { return 0 }
    let width = dependsOnPosition ? 1 : pixels.count
    return try BufferPool().withBuffer(PixelSize(width: width, height: 1)) { buffer in
      var statistics = ContentLightStatistics()
      let rows = buffer.rows(0)
      for start in stride(from: 0, to: pixels.count, by: width) {
        for i in 0..<width {
          let rgb = pixels[start + i].rgb
          (rows.red[i], rows.green[i], rows.blue[i]) = (rgb.x, rgb.y, rgb.z)
        }
        scene.apply(rows, x: pixels[start].x, y: pixels[start].y)
        statistics.add(buffer)
      }
      return statistics.contentHeadroom
    }
  }
}
