package import ImageCore

/// Reduction of a picture by exact area coverage: each output pixel is the mean of the light that
/// falls on its square of the source, source pixels cut by the square's edge counting in part.
///
/// Source: box filter of pixel squares (the "pixel mixing" rule). Linear light in and out. It keeps
/// the mean, never goes beyond the input's range and so rings around no sun, which sharper kernels
/// do in linear light. Known failure: near scale 1 it softens by up to half a pixel.
/// The same size over a whole-pixel origin returns the source bit for bit.
package struct Resampling: Sendable {
  /// Size of the reduced picture.
  package let size: PixelSize
  private let columns: [Span]
  private let rows: [Span]

  /// The source samples that one output sample covers, and their shares.
  private struct Span {
    var start: Int
    var shares: [Float]
  }

  /// Reduces the part of a source of size `source` that starts at (`originX`, `originY`) and is
  /// `spanX` × `spanY` source pixels large, all of which may be fractions.
  package init(
    size: PixelSize, source: PixelSize, originX: Double, originY: Double, spanX: Double,
    spanY: Double
  ) {
    self.size = size
    columns = Self.spans(size.width, source: source.width, origin: originX, span: spanX)
    rows = Self.spans(size.height, source: source.height, origin: originY, span: spanY)
  }

  private static func spans(_ count: Int, source: Int, origin: Double, span: Double) -> [Span] {
    let step = span / Double(count)
    return (0..<count).map { i in
      let low = max(origin + Double(i) * step, 0)
      let high = min(origin + Double(i + 1) * step, Double(source))
      let cover = AreaCoverage(from: low, to: high, of: source)
      let first = cover.pixels.lowerBound
      let shares = cover.pixels.map { max(cover[$0], $0 == first ? 1e-9 : 0) }
      let sum = shares.reduce(0, +)
      return Span(start: first, shares: shares.map { Float($0 / sum) })
    }
  }

  /// Makes `rect` of the reduced picture in `buffer`, taking scratch memory from `pool`.
  package func read<State>(
    _ rect: PixelRect, from source: any PixelSource<State>, into buffer: PlanarBuffer,
    pool: BufferPool
  ) {
    guard !rect.isEmpty else { return buffer.reshape(rect.size) }
    let (left, right) = (columns[rect.x], columns[rect.endX - 1])
    let (top, bottom) = (rows[rect.y], rows[rect.endY - 1])
    let area = PixelRect(
      x: left.start, y: top.start, width: right.start + right.shares.count - left.start,
      height: bottom.start + bottom.shares.count - top.start)
    pool.withBuffer(area.size) { whole in
      source.read(area, into: whole)
      buffer.reshape(rect.size)
      pool.withBuffer(PixelSize(width: area.width, height: 1)) { sums in
        for plane in 0..<3 {
          let line = sums.row(plane, 0)
          for y in 0..<rect.height {
            let span = rows[rect.y + y]
            for (k, share) in span.shares.enumerated() {
              let from = whole.row(plane, span.start - area.y + k)
              if k == 0 {
                for x in 0..<area.width { line[x] = from[x] * share }
              } else {
                for x in 0..<area.width { line[x] += from[x] * share }
              }
            }
            let out = buffer.row(plane, y)
            for x in 0..<rect.width {
              let cover = columns[rect.x + x]
              let base = cover.start - area.x
              var sum: Float = 0
              for k in 0..<cover.shares.count { sum += line[base &+ k] * cover.shares[k] }
              out[x] = sum
            }
          }
        }
      }
    }
  }
}
