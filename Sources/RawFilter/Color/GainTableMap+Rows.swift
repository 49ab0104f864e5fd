import CKernels
package import ImageCore
package import RawDecode

/// ``GainTableMap`` on rows of pixels, eight at a time.
extension GainTableMap {
  /// Position of a row of pixels on the active area: pixel i at u = start + i · step, all at v.
  package struct RowPosition: Sendable, Hashable {
    package var firstPixel: Int
    package var start: Double
    package var step: Double
    package var v: Double
  }

  /// Whether interpolating a row of curves first is cheaper than interpolating two rows at each
  /// pixel, with pixels `step` grid points apart. Not for long curves, of which a short run of
  /// pixels needs only two or three.
  static func mixesRows(points: Int, step: Float) -> Bool {
    points <= 4096 && abs(step) * Float(points) <= 16
  }

  /// Multiplies pixels by their gain and by `scale`, in place. Needs ``withCurves``.
  package func apply(_ pixels: RGBRows, at position: RowPosition, scale: Float) {
    let line = min(max((position.v - origin.y) / spacing.y, 0), Double(rows - 1))
    let top = min(Int(line), rows - 1)
    let part = Float(line - Double(top))
    // u of the pixel with number 0, in grid points.
    let first = Float((position.start - origin.x) / spacing.x)
    let step = Float(position.step / spacing.x)
    precondition(points > 1, "curves of one point are looked up as two")
    gains.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let table = base + top * columns * points
      let down = (min(top + 1, rows - 1) - top) * columns * points
      var map = ck_gainTable(
        gains: table, columns: Int32(columns), points: Int32(points), down: Int32(down),
        part: part, first: first, step: step, scale: scale, gamma: gamma,
        lowestWeight: weights[3], highestWeight: weights[4],
        weights: ck_threeValues(SIMD3(weights[0], weights[1], weights[2])))
      func multiply() {
        ck_gainTableRow(&map, Int64(position.firstPixel), pixels.kernel, Int64(pixels.count))
      }
      // Interpolates two rows of the grid once if that is cheaper than for each pixel. The choice
      // depends on the picture only, so all of its parts agree to the bit.
      guard down > 0, Self.mixesRows(points: points, step: step) else { return multiply() }
      func column(_ pixel: Int) -> Int {
        Int(min(max(Float(pixel) * step + first, 0), Float(columns - 1)))
      }
      let start = max(column(position.firstPixel) - 1, 0) * points
      let end = min(column(position.firstPixel + pixels.count + 8) + 2, columns) * points
      withUnsafeTemporaryAllocation(of: Float.self, capacity: end - start) { line in
        guard let line = line.baseAddress else { return }
        let (above, below) = (table + start, table + start + down)
        for i in 0..<end - start { line[i] = above[i] + (below[i] - above[i]) * part }
        (map.gains, map.down) = (UnsafePointer(line) - start, 0)
        multiply()
      }
    }
  }
}
