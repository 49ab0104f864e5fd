import CVector
package import ImageCore
package import RawDecode

/// ``GainTableMap`` on rows of pixels, eight at a time.
extension GainTableMap {
  /// Where a row of pixels lies on the active area: pixel i at u = start + i · step, all at v.
  package struct RowPosition: Sendable, Hashable {
    package var firstPixel: Int
    package var start: Double
    package var step: Double
    package var v: Double
  }

  /// Multiplies pixels by their gain and by `scale`, in place.
  package func apply(_ pixels: RGBRows, at position: RowPosition, scale: Float) {
    let line = min(max((position.v - origin.y) / spacing.y, 0), Double(rows - 1))
    let top = min(Int(line), rows - 1)
    let down = (min(top + 1, rows - 1) - top) * columns * points
    let part = Float(line - Double(top))
    // u of the pixel with number 0, in grid points.
    let first = Float((position.start - origin.x) / spacing.x)
    let step = Float(position.step / spacing.x)
    gains.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let table = base + top * columns * points
      // Two rows of the grid make one for these pixels where that is less than reading both for
      // each pixel; it depends on the picture alone, so all parts of it agree to the bit.
      guard down > 0, abs(step) * Float(points) <= 16 else {
        multiply(pixels, position, (first, step), scale) { column, point in
          cv_gainTable8(table, Int32(columns), Int32(points), Int32(down), column, point, part)
        }
        return
      }
      func column(_ pixel: Int) -> Int {
        Int(min(max(Float(pixel) * step + first, 0), Float(columns - 1)))
      }
      let start = max(column(position.firstPixel) - 1, 0) * points
      let end = min(column(position.firstPixel + pixels.count + 8) + 2, columns) * points
      withUnsafeTemporaryAllocation(of: Float.self, capacity: end - start) { line in
        guard let line = line.baseAddress else { return }
        let (above, below) = (table + start, table + start + down)
        for i in 0..<end - start { line[i] = above[i] + (below[i] - above[i]) * part }
        let row = UnsafePointer(line) - start
        multiply(pixels, position, (first, step), scale) { column, point in
          cv_gainRow8(row, Int32(columns), Int32(points), column, point)
        }
      }
    }
  }

  /// Multiplies pixels by `scale` and by what `read` finds for their grid column and curve point.
  @inline(__always)
  private func multiply(
    _ pixels: RGBRows, _ position: RowPosition,
    _ grid: (first: Float, step: Float), _ scale: Float,
    read: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
  ) {
    let weights = (weights[0], weights[1], weights[2], weights[3], weights[4])
    let (last, size) = (Float(columns - 1), Float(points))
    var ramp = SIMD8<Float>()
    for lane in 0..<8 { ramp[lane] = Float(lane) }
    for i in vectors(pixels.count) {
      let rgb = pixels.lanes(i)
      let sum =
        rgb.red * weights.0 + rgb.green * weights.1 + rgb.blue * weights.2
        + rgb.lowest * weights.3 + rgb.highest * weights.4
      var t = cv_clamp8(cv_number8(sum), .zero, SIMD8(repeating: 1))
      if gamma != 1 {
        t = select(t .> 0, cv_exp2_8(cv_log2_8(cv_max8(t, SIMD8(repeating: 1e-30))) * gamma), .zero)
      }
      let number = ramp + Float(position.firstPixel &+ i)
      let column = cv_clamp8(number * grid.step + grid.first, .zero, SIMD8(repeating: last))
      let gain = read(column, cv_clamp8(t * size, .zero, SIMD8(repeating: size - 1))) * scale
      pixels.setLanes(i, rgb * gain)
    }
  }
}
