import CVector
package import ImageCore
import RawData

/// Measurements of the picture before it is developed: cheap, because they are made on superpixels.
extension SensorPipeline {
  /// A small picture, one pixel for each `reduction` × `reduction` photosites: the mean of each
  /// channel after levels and highlights, of the middle eighth of the rows of superpixels.
  /// `reduction` is rounded up to complete superpixels.
  package func proxy(reduction: Int, workers: Int = Parallel.defaultWorkers) throws(PixelError)
    -> Image<CameraRGB>
  {
    let factor = pixels.reductionFactor
    let box = max(1, (min(reduction, 4096) + factor - 1) / factor)
    let source = reducedSize
    let size = PixelSize(
      width: max(1, source.width / box), height: max(1, source.height / box))
    return try Image(size: size, info: info) { (out: PlanarBuffer) throws(PixelError) in
      try Parallel.forEach(count: size.height, workers: workers) { y, _ throws(PixelError) in
        let buffer = PlanarBuffer()
        let width = min(size.width * box, source.width)
        let rows = max(1, (box + Self.sampling - 1) / Self.sampling)
        let top = min(y * box + (box - rows) / 2, max(source.height - rows, 0))
        let rect = PixelRect(
          x: 0, y: top, width: width, height: min(rows, source.height - top))
        try read(rect, into: buffer, isReduced: true)
        average(buffer, box, into: out, y)
      }
    }
  }

  /// One row of eight is enough for the mean.
  private static let sampling = 8

  /// The largest value that `weights` · rgb has in any channel of any superpixel (any pixel of
  /// linear files), after levels, defects and highlights.
  package func peak(
    of weights: Matrix3, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) -> Float {
    let rows = weights.rows.map { SIMD3<Float>($0) }
    let factor = pixels.isMosaic ? pixels.reductionFactor : 1
    let area = pixels.isMosaic ? PixelRect(reducedSize) : PixelRect(fullSize)
    let known = peakCache.highest(of: rows)
    let search = BrightestSearch(bounds.blocks(fullSize, weights: rows, known: known))
    try search.search(search.blocks.indices, workers: workers) { block throws(PixelError) in
      let rect = block.reduced(by: factor).intersection(area)
      guard rect.width > 0, rect.height > 0 else { return -.infinity }
      return try pool.with { work throws(PixelError) in
        try read(rect, into: work.reduced, isReduced: pixels.isMosaic)
        return Self.peak(work.reduced, rows)
      }
    }
    if known == nil { peakCache.store(search.found, of: rows) }
    return search.highest
  }

  /// The largest value of `measure` over blocks of photosites: where `weights` · rgb is at most l,
  /// `measure` is at most `factor` · l.
  package func largest(
    weights: Matrix3, factor: Float, workers: Int,
    measure: @Sendable (PixelRect) throws(PixelError) -> Float
  ) throws(PixelError) -> Float {
    let rows = weights.rows.map { SIMD3<Float>($0) }
    let search = BrightestSearch(bounds.blocks(fullSize, weights: rows, factor: factor))
    try search.search(search.blocks.indices, workers: workers, measure)
    return search.highest
  }

  private var reducedSize: PixelSize {
    let factor = pixels.reductionFactor
    return PixelSize(width: fullSize.width / factor, height: fullSize.height / factor)
  }

  private func average(_ buffer: PlanarBuffer, _ box: Int, into out: PlanarBuffer, _ y: Int) {
    let (width, height) = (buffer.size.width, buffer.size.height)
    for c in 0..<3 {
      let target = out.row(c, y)
      let sums = buffer.row(c, 0)
      for row in 1..<max(height, 1) {
        let source = buffer.row(c, row)
        for x in 0..<width { sums[x] += source[x] }
      }
      for x in 0..<out.size.width {
        let columns = x * box..<min((x + 1) * box, width)
        var sum: Float = 0
        for column in columns { sum += sums[column] }
        target[x] = sum / Float(max(columns.count * height, 1))
      }
    }
  }

  /// The largest value that one of `rows` gives any pixel of `buffer`.
  static func peak(_ buffer: PlanarBuffer, _ rows: [SIMD3<Float>]) -> Float {
    let width = buffer.size.width
    var highest = -Float.infinity
    var lanes = SIMD8<Float>(repeating: -.infinity)
    for y in 0..<buffer.size.height {
      let (r, g, b) = (buffer.row(0, y), buffer.row(1, y), buffer.row(2, y))
      for row in rows {
        var x = 0
        while x &+ 8 <= width {
          let value = r.lanes(x) * row.x + g.lanes(x) * row.y + b.lanes(x) * row.z
          lanes = cv_max8(value, lanes)
          x &+= 8
        }
        for x in x..<width {
          highest = max(highest, r[x] * row.x + g[x] * row.y + b[x] * row.z)
        }
      }
    }
    return max(highest, lanes.max())
  }
}

extension PixelRect {
  /// The superpixels of `factor` × `factor` that overlap this rectangle.
  package func reduced(by factor: Int) -> PixelRect {
    let (left, top) = (x / factor, y / factor)
    let (right, bottom) = ((endX + factor - 1) / factor, (endY + factor - 1) / factor)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension SensorPipeline {
  /// Balanced value at which each channel saturates; infinite where none does. Where four colors
  /// become three it is the lowest of the four.
  package var saturation: SIMD3<Float> {
    let clip = bounds.clip
    if bounds.cfa.channelCount == 1 { return SIMD3(repeating: clip.x) }
    if bounds.cfa.channelCount == 4 { return SIMD3(repeating: clip.min()) }
    return SIMD3(clip.x, clip.y, clip.z)
  }
}
