import CVector
package import ImageCore
import RawDecode

/// A reduced picture of luminance: mean luminance and mean of the largest channel over squares of
/// `cell` × `cell` pixels, read once in bands.
package struct LuminanceProxy: Sendable {
  /// Pixels along a square.
  package let cell: Int
  /// Columns and rows of squares.
  package let size: PixelSize
  /// The size of the picture itself.
  package let pictureSize: PixelSize
  /// Largest channel of any pixel.
  package let peak: Float
  /// Plane 0 luminance, plane 1 largest channel.
  let planes: PlanarBuffer

  /// Default of the longer side.
  package static let longestSide = 1024

  /// Reads all of `source`; the longer side of the proxy is at most `longestSide` (1…4096). `peak`:
  /// of the full-size picture, if `source` is reduced; nil to measure it on `source`.
  package init(
    _ source: any PixelSource<SceneLinear>, longestSide: Int = longestSide, peak: Float? = nil,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    let full = source.size
    let bound = min(max(longestSide, 1), 4096)
    let cell = max(1, (max(full.width, full.height) + bound - 1) / bound)
    let size = PixelSize(
      width: (full.width + cell - 1) / cell, height: (full.height + cell - 1) / cell)
    let planes = try PlanarBuffer(size: size)
    let lines = BufferPool()
    let bands = try Self.bands(of: source, cell, size, workers: workers) {
      pixels, squares throws(PixelError) in
      for (y, rows) in squares {
        try Self.average(pixels, rows, cell, into: planes, y, lines)
      }
      var statistics = ContentLightStatistics()
      statistics.add(pixels)
      return statistics.contentHeadroom
    }
    self.cell = cell
    self.size = size
    pictureSize = full
    self.peak = peak ?? bands.max() ?? 0
    self.planes = planes
  }

  /// Reads all of `source` in bands, and calls `body` with the pixels of each and, for each row of
  /// squares in it, its number and its rows of these pixels. The results are in the order of bands.
  static func bands<Result: Sendable>(
    of source: any PixelSource<SceneLinear>, _ cell: Int, _ size: PixelSize, workers: Int,
    _ body: @Sendable (PlanarBuffer, [(row: Int, pixels: Range<Int>)]) throws(PixelError) -> Result
  ) throws(PixelError) -> [Result] {
    let rowsPerBand = max(1, 256 / cell)
    let pool = BufferPool()
    return try Parallel.map(
      count: (size.height + rowsPerBand - 1) / rowsPerBand, workers: workers
    ) { band throws(PixelError) in
      let squares = band * rowsPerBand..<min((band + 1) * rowsPerBand, size.height)
      let top = squares.lowerBound * cell
      let rect = PixelRect(
        x: 0, y: top, width: source.size.width, height: squares.count * cell
      ).intersection(PixelRect(source.size))
      return try pool.withBuffer(rect.size) { pixels throws(PixelError) in
        try source.read(rect, into: pixels)
        return try body(
          pixels, squares.map { ($0, $0 * cell - top..<min(($0 + 1) * cell - top, rect.height)) })
      }
    }
  }

  private static func average(
    _ pixels: PlanarBuffer, _ rows: Range<Int>, _ cell: Int, into out: PlanarBuffer, _ y: Int,
    _ pool: BufferPool
  ) throws(PixelError) {
    let width = pixels.size.width
    try pool.withBuffer(PixelSize(width: width, height: 2)) { lines in
      for plane in 0..<2 {
        let (sum, line) = (lines.row(plane, 0), lines.row(plane, 1))
        for row in rows {
          let rgb = pixels.rows(row)
          let target = row == rows.lowerBound ? sum : line
          if plane == 0 {
            LuminanceGain.luminance(rgb, into: target)
          } else {
            LuminanceGain.brightest(rgb, into: target)
          }
          guard row > rows.lowerBound else { continue }
          for i in vectors(width) {
            sum.setLanes(i, sum.lanes(i) + line.lanes(i))
          }
        }
        let means = out.row(plane, y)
        for x in 0..<out.size.width {
          let end = min((x &+ 1) &* cell, width)
          var total: Float = 0
          for i in x &* cell..<end { total += sum[i] }
          means[x] = total / Float((end &- x &* cell) &* rows.count)
        }
      }
    }
  }

  /// Luminance of the samples in stops (``LogLuminance``).
  func stops() throws(PixelError) -> TilePlane {
    let plane = TilePlane()
    try plane.reshape(PixelRect(size))
    for y in 0..<size.height {
      let row = plane.row(y)
      row.update(from: planes.row(0, y), count: size.width)
      LogLuminance.replace(row, count: size.width)
    }
    return plane
  }
}
