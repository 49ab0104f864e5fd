import Foundation
import ImageCore

@testable import Readers

enum CellMeans {
  /// Means of 8 × 6 cells, row by row: cell (i, j) has columns ⌊iW/8⌋..<⌊(i+1)W/8⌋.
  static func of(_ source: any PixelSource<DisplayReferred>) throws -> [SIMD3<Double>] {
    let size = source.size
    let buffer = try PlanarBuffer(size: size)
    try source.read(PixelRect(size), into: buffer)
    return (0..<48).map { cell in
      let (i, j) = (cell % 8, cell / 8)
      var sum = SIMD3<Double>(0, 0, 0)
      var count = 0.0
      for y in j * size.height / 6..<(j + 1) * size.height / 6 {
        for x in i * size.width / 8..<(i + 1) * size.width / 8 {
          sum += SIMD3(
            Double(buffer.row(0, y)[x]), Double(buffer.row(1, y)[x]), Double(buffer.row(2, y)[x]))
          count += 1
        }
      }
      return sum / max(count, 1)
    }
  }
}
