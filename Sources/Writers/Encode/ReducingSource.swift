import ImageCore
import Synchronization

/// Passes a picture through and computes a reduced version from what is read, so that nothing is
/// rendered twice.
///
/// A reduced pixel is the mean linear value of the area it covers, fractions of pixels included.
/// Each pixel must be read once: the first `overlap` columns and rows of a rectangle that begins at
/// an odd column or row repeat the previous one's, and are not counted. Sums are computed per
/// rectangle and added in order of position, so threads do not change the result.
struct ReducingSource<Source: PixelSource<DisplayReferred>>: PixelSource {
  typealias State = DisplayReferred

  let source: Source
  /// Columns and rows of the reduced version.
  let reduced: PixelSize
  private let overlap: PixelPoint
  private let columns: Cells
  private let rows: Cells
  private let parts = Parts()

  /// The cell that each pixel of an axis contributes to; the rest of its weight goes to the next.
  private struct Cells: Sendable {
    let cell: [Int]
    let weight: [Float]

    init(count: Int, of pixels: Int) {
      cell = (0..<pixels).map { $0 * count / pixels }
      weight = zip(0..<pixels, cell).map { pixel, cell in
        Float(min(Double((cell + 1) * pixels) / Double(count) - Double(pixel), 1))
      }
    }
  }

  private final class Parts: Sendable {
    let sums = Mutex<[(cells: PixelRect, sums: [Float])]>([])
  }

  /// `source` with a reduced version whose longer side has `longerSide` pixels; nil where the
  /// picture is no larger.
  init?(_ source: Source, longerSide: Int, overlap: PixelPoint) {
    let size = source.size
    guard longerSide > 0, max(size.width, size.height) > longerSide else { return nil }
    self.source = source
    self.overlap = overlap
    reduced = size.reduced(longerSide: longerSide)
    columns = Cells(count: reduced.width, of: size.width)
    rows = Cells(count: reduced.height, of: size.height)
  }

  var size: PixelSize { source.size }
  var info: DisplayReferred.Info { source.info }
  var bandHeight: Int { source.bandHeight }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    try source.read(rect, into: buffer)
    let (left, top) = (rect.x % 2 * overlap.x, rect.y % 2 * overlap.y)
    guard rect.width > left, rect.height > top else { return }
    let first = PixelPoint(x: columns.cell[rect.x + left], y: rows.cell[rect.y + top])
    // The last pixel may reach into one more cell.
    let cells = PixelRect(
      x: first.x, y: first.y, width: columns.cell[rect.endX - 1] - first.x + 2,
      height: rows.cell[rect.endY - 1] - first.y + 2)
    var sums = [Float](repeating: 0, count: 3 * cells.width * cells.height)
    var line = [Float](repeating: 0, count: cells.width)
    for plane in 0..<3 {
      for y in top..<rect.height {
        let row = buffer.row(plane, y)
        for i in line.indices { line[i] = 0 }
        for x in left..<rect.width {
          let (cell, weight) = (columns.cell[rect.x + x] - cells.x, columns.weight[rect.x + x])
          line[cell] += row[x] * weight
          line[cell + 1] += row[x] * (1 - weight)
        }
        let (cell, weight) = (rows.cell[rect.y + y] - cells.y, rows.weight[rect.y + y])
        let start = (plane * cells.height + cell) * cells.width
        for i in line.indices {
          sums[start + i] += line[i] * weight
          sums[start + cells.width + i] += line[i] * (1 - weight)
        }
      }
    }
    parts.sums.withLock { $0.append((cells, sums)) }
  }

  /// The reduced version, once all pixels have been read.
  func image() throws(PixelError) -> Image<DisplayReferred> {
    let parts = parts.sums.withLock { $0 }.sorted {
      ($0.cells.y, $0.cells.x) < ($1.cells.y, $1.cells.x)
    }
    let area = Float(size.width) / Float(reduced.width) * Float(size.height) / Float(reduced.height)
    return try Image(size: reduced, info: source.info) { planes in
      for plane in 0..<3 {
        for y in 0..<reduced.height {
          planes.row(plane, y).update(repeating: 0, count: reduced.width)
        }
      }
      for (cells, sums) in parts {
        for plane in 0..<3 {
          for y in 0..<min(cells.height, reduced.height - cells.y) {
            let row = planes.row(plane, cells.y + y)
            let start = (plane * cells.height + y) * cells.width
            for x in 0..<min(cells.width, reduced.width - cells.x) {
              row[cells.x + x] += sums[start + x] / area
            }
          }
        }
      }
    }
  }
}
