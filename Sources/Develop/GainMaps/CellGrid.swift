import Foundation
import ImageCore

/// A picture as means over a square grid of cells, for any aspect ratio, so that pictures of
/// different sizes can be compared.
struct CellGrid: Sendable, Hashable {
  /// Cells along each side.
  static let side = 64

  /// Row by row.
  var values: [Double]

  init(values: [Double]) { self.values = values }

  /// Means of `value` over the areas of a picture of `size`, neither side 0.
  init(_ size: PixelSize, _ value: (_ x: Int, _ y: Int) -> Double) {
    let side = Self.side
    /// The pixels that a cell covers, and how much of each.
    func pixels(_ cell: Int, _ count: Int) -> [(index: Int, weight: Double)] {
      let step = Double(count) / Double(side)
      let (from, to) = (Double(cell) * step, Double(cell + 1) * step)
      return (Int(from)..<min(Int(to.rounded(.up)), count)).map {
        ($0, (min(to, Double($0 + 1)) - max(from, Double($0))) / step)
      }
    }
    let columns = (0..<side).map { pixels($0, size.width) }
    values = (0..<side).flatMap { cell in
      let rows = pixels(cell, size.height)
      return columns.map { columns in
        var sum = 0.0
        for row in rows {
          for column in columns {
            sum += value(column.index, row.index) * column.weight * row.weight
          }
        }
        return sum
      }
    }
  }

  subscript(x: Int, y: Int) -> Double { values[y * Self.side + x] }

  /// The cells turned upright, for a picture that is stored in `orientation`.
  func upright(_ orientation: Orientation) -> CellGrid {
    let size = PixelSize(width: Self.side, height: Self.side)
    return CellGrid(
      values: (0..<values.count).map {
        let from = orientation.storedPoint(
          of: PixelPoint(x: $0 % Self.side, y: $0 / Self.side), stored: size)
        return self[from.x, from.y]
      })
  }

  /// The part of the picture from `x` and `y` on, `width` and `height` long, all as fractions of
  /// its sides, stretched over all cells by bilinear interpolation.
  func part(x: Double, y: Double, width: Double, height: Double) -> CellGrid {
    let (side, last) = (Self.side, Self.side - 1)
    func position(_ cell: Int, _ from: Double, _ length: Double) -> (Int, Double) {
      let position = (from + (Double(cell) + 0.5) / Double(side) * length) * Double(side) - 0.5
      let clamped = min(max(position, 0), Double(last))
      return (min(Int(clamped), last - 1), clamped - Double(min(Int(clamped), last - 1)))
    }
    let columns = (0..<side).map { position($0, x, width) }
    let rows = (0..<side).map { position($0, y, height) }
    return CellGrid(
      values: rows.flatMap { (j, v) in
        columns.map { (i, u) in
          (self[i, j] * (1 - u) + self[i + 1, j] * u) * (1 - v)
            + (self[i, j + 1] * (1 - u) + self[i + 1, j + 1] * u) * v
        }
      })
  }

  /// Means of blocks of four by four cells.
  var blocks: [Double] {
    let (block, side) = (4, Self.side / 4)
    return (0..<side * side).map { index in
      var sum = 0.0
      for cell in 0..<block * block {
        sum += self[index % side * block + cell % block, index / side * block + cell / block]
      }
      return sum / Double(block * block)
    }
  }

  /// How much the values change from cell to cell.
  var edges: CellGrid {
    let side = Self.side
    return CellGrid(
      values: (0..<values.count).map { cell in
        let (x, y) = (cell % side, cell / side)
        let across = self[min(x + 1, side - 1), y] - self[max(x - 1, 0), y]
        let down = self[x, min(y + 1, side - 1)] - self[x, max(y - 1, 0)]
        return (across * across + down * down).squareRoot()
      })
  }

  /// Pearson's correlation, −1…1; 0 where one of the two is even.
  func correlation(_ other: CellGrid) -> Double {
    let count = Double(values.count)
    let (a, b) = (values.reduce(0, +) / count, other.values.reduce(0, +) / count)
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(values, other.values) {
      ab += (x - a) * (y - b)
      aa += (x - a) * (x - a)
      bb += (y - b) * (y - b)
    }
    let norm = (aa * bb).squareRoot()
    return norm > 1e-12 * count ? ab / norm : 0
  }
}
