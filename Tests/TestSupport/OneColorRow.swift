package import ImageCore
import SyntheticRaw

/// A row of eight pixels of one color, for row kernels.
package enum OneColorRow {
  /// What `kernel` makes of `color`: red of the second pixel, green of the fifth, blue of the last.
  package static func run(_ color: SIMD3<Float>, _ kernel: (RGBRows) -> Void) -> SIMD3<Float> {
    let buffer = certain { try PlanarBuffer(size: PixelSize(width: 8, height: 1)) }
    let rows = buffer.rows(0)
    for plane in 0..<3 { rows[plane].update(repeating: color[plane], count: 8) }
    kernel(rows)
    return SIMD3(rows.red[1], rows.green[4], rows.blue[7])
  }
}
