package import ImageCore
import RawData

/// The smallest and largest value of each channel in blocks of a picture after lens correction:
/// with them a search for the brightest pixel skips most of the picture, as with ``PeakBounds``
/// before lens correction. One pass over the picture, then any number of searches.
package struct PictureExtrema: Sendable {
  /// Pixels of a block.
  private static let blockSize = PixelSize(width: 128, height: 64)
  /// One in this many blocks, brightest first, is searched before the remaining ones are counted.
  private static let firstDivisor = 32
  /// If more than one in this many blocks remains, the full picture is read instead: for a single
  /// block the lens also needs the pixels around it.
  private static let remainingDivisor = 4

  private struct Block: Sendable {
    var rect: PixelRect
    var low = SIMD3<Float>(repeating: .infinity)
    var high = SIMD3<Float>(repeating: -.infinity)
  }

  private let source: any PixelSource<CameraRGB>
  private let blocks: [Block]

  /// Reads all of `source`.
  package init(_ source: any PixelSource<CameraRGB>, workers: Int) throws(PixelError) {
    self.source = source
    blocks = try source.measured(unit: Self.blockSize.height, workers: workers) { buffer, part in
      part.tiles(width: Self.blockSize.width, height: Self.blockSize.height).map {
        Self.block($0, buffer, of: part)
      }
    }.flatMap { $0 }
  }

  /// The values of `rect` in `buffer`, which holds `part`.
  private static func block(_ rect: PixelRect, _ buffer: PlanarBuffer, of part: PixelRect) -> Block
  {
    var block = Block(rect: rect)
    for channel in 0..<3 {
      var low = SIMD8<Float>(repeating: .infinity)
      var high = -low
      for y in rect.y..<rect.endY {
        let row = buffer.row(channel, y - part.y).from(rect.x - part.x)
        var x = 0
        while x &+ 8 <= rect.width {
          let values = row.lanes(x)
          low = pointwiseMin(low, values)
          high = pointwiseMax(high, values)
          x &+= 8
        }
        for x in x..<rect.width {
          low[0] = min(low[0], row[x])
          high[0] = max(high[0], row[x])
        }
      }
      (block.low[channel], block.high[channel]) = (low.min(), high.max())
    }
    return block
  }

  /// The largest value that `weights` · rgb has in any channel of any pixel.
  package func peak(of weights: Matrix3, workers: Int) throws(PixelError) -> Float {
    let rows = weights.rows.map { SIMD3<Float>($0) }
    let buffers = BufferPool()
    return try largest(weights: weights, factor: 1, workers: workers) { rect throws(PixelError) in
      try buffers.withBuffer(rect.size) { buffer throws(PixelError) in
        try source.read(rect, into: buffer)
        return SensorPipeline.peak(buffer, rows)
      }
    } allPixels: { () throws(PixelError) in
      try source.measured(workers: workers) { buffer, _ in SensorPipeline.peak(buffer, rows) }
        .max() ?? 0
    }
  }

  /// The largest value of `measure` over blocks of pixels: where `weights` · rgb is at most l,
  /// `measure` is at most `factor` · l. If too many blocks may contain it, as in a picture of one
  /// color, `allPixels` measures the full picture.
  package func largest(
    weights: Matrix3, factor: Float, workers: Int,
    measure: @Sendable (PixelRect) throws(PixelError) -> Float,
    allPixels: () throws(PixelError) -> Float
  ) throws(PixelError) -> Float {
    let rows = weights.rows.map { SIMD3<Float>($0) }
    let search = BrightestSearch(
      blocks.enumerated().map { index, block in
        BrightestSearch.Block(
          index: index, rect: block.rect, limit: Self.limit(block, rows) * factor)
      })
    let count = search.blocks.count
    let first = (count + Self.firstDivisor - 1) / Self.firstDivisor
    try search.search(0..<first, workers: workers, measure)
    let found = search.highest
    let left = search.blocks[first...].prefix { $0.limit > found }
    guard left.count <= count / Self.remainingDivisor else { return try allPixels() }
    try search.search(left.indices, workers: workers, measure)
    return search.highest
  }

  /// Upper bound of the weighted sums in `block`, including rounding.
  private static func limit(_ block: Block, _ rows: [SIMD3<Float>]) -> Float {
    rows.map { weights in
      let (low, high) = (weights * block.low, weights * block.high)
      let parts = pointwiseMax(low, high)
      let magnitude = pointwiseMax(pointwiseMax(low, -low), pointwiseMax(high, -high)).sum()
      return parts.sum() + magnitude * BrightestSearch.rounding
    }.max() ?? .infinity
  }
}
