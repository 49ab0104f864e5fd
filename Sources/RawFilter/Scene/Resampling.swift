package import ImageCore
import RawDecode
import RawSensor

/// Reduction of a picture by exact area coverage: each output pixel is the mean over its square of
/// the source, source pixels on the square's edge being weighted by their covered area.
///
/// Source: box filter of pixel squares ("pixel mixing"). Linear values in and out. It preserves the
/// mean and never exceeds the input's range, so there is no ringing around highlights, unlike with
/// sharper kernels on linear values. Known failure: near scale 1 it softens by up to half a pixel.
/// At scale 1 and integer offsets it returns the source bit for bit.
package struct Resampling: Sendable {
  /// Size of the reduced picture.
  package let size: PixelSize
  private let columns: [Taps]
  private let rows: [Taps]

  /// The source samples that one output sample covers, and their weights.
  private struct Taps {
    var start: Int
    var weights: [Float]

    var end: Int { start + weights.count }
  }

  /// Reduces the part of a source of size `source` that starts at (`originX`, `originY`) and is
  /// `spanX` × `spanY` source pixels large, all of which may be fractional.
  package init(
    size: PixelSize, source: PixelSize, originX: Double, originY: Double, spanX: Double,
    spanY: Double
  ) {
    self.size = size
    columns = Self.taps(size.width, source: source.width, origin: originX, span: spanX)
    rows = Self.taps(size.height, source: source.height, origin: originY, span: spanY)
  }

  private static func taps(_ count: Int, source: Int, origin: Double, span: Double) -> [Taps] {
    let step = span / Double(count)
    return (0..<count).map { i in
      let low = max(origin + Double(i) * step, 0)
      let high = min(origin + Double(i + 1) * step, Double(source))
      let cover = AreaCoverage(from: low, to: high, of: source)
      let first = cover.pixels.lowerBound
      let weights = cover.pixels.map { max(cover[$0], $0 == first ? 1e-9 : 0) }
      let sum = weights.reduce(0, +)
      return Taps(start: first, weights: weights.map { Float($0 / sum) })
    }
  }

  /// Renders `rect` of the reduced picture into `buffer`, with scratch memory from `pool`.
  package func read<State>(
    _ rect: PixelRect, from source: any PixelSource<State>, into buffer: PlanarBuffer,
    pool: BufferPool
  ) throws(PixelError) {
    guard !rect.isEmpty else { return try buffer.reshape(rect.size) }
    let (left, right) = (columns[rect.x], columns[rect.endX - 1])
    let (top, bottom) = (rows[rect.y], rows[rect.endY - 1])
    let area = PixelRect(
      x: left.start, y: top.start, width: right.end - left.start, height: bottom.end - top.start)
    try pool.withBuffer(area.size) { pixels throws(PixelError) in
      try source.read(area, into: pixels)
      try buffer.reshape(rect.size)
      try pool.withBuffer(PixelSize(width: area.width, height: 1)) { sums in
        for plane in 0..<3 {
          let line = sums.row(plane, 0)
          for y in 0..<rect.height {
            let taps = rows[rect.y + y]
            for (k, weight) in taps.weights.enumerated() {
              let from = pixels.row(plane, taps.start - area.y + k)
              if k == 0 {
                for x in 0..<area.width { line[x] = from[x] * weight }
              } else {
                for x in 0..<area.width { line[x] += from[x] * weight }
              }
            }
            let out = buffer.row(plane, y)
            for x in 0..<rect.width {
              let taps = columns[rect.x + x]
              let base = taps.start - area.x
              var sum: Float = 0
              for k in 0..<taps.weights.count { sum += line[base &+ k] * taps.weights[k] }
              out[x] = sum
            }
          }
        }
      }
    }
  }
}
