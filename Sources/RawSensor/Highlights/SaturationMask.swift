import ImageCore
import RawData

/// A mask of saturated channels: one byte for each cell, one bit for each channel.
final class SaturationMask: @unchecked Sendable {
  /// Photosites along a cell.
  static let side = 3
  private let size: PixelSize
  private let storage: PixelStorage<UInt8>

  /// No cell marked.
  init(_ size: PixelSize) throws(PixelError) {
    self.size = size
    storage = try PixelStorage(zeros: size.area)
  }

  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { storage.start + y * size.width }

  /// Whether any cell in `columns` of `rows`, clamped to the mask, has a mark.
  func isAnyMarked(_ columns: Range<Int>, rows: Range<Int>) -> Bool {
    for y in rows.clamped(to: 0..<size.height) {
      let cells = row(y)
      var any: UInt8 = 0
      for x in columns { any |= cells[x] }
      if any != 0 { return true }
    }
    return false
  }

  /// The smallest rectangle of photosites that holds all marked cells of `rect`, which begins with
  /// a cell.
  func box(of rect: PixelRect) -> PixelRect {
    let columns = rect.x / Self.side..<min((rect.endX + Self.side - 1) / Self.side, size.width)
    let rows = rect.y / Self.side..<min((rect.endY + Self.side - 1) / Self.side, size.height)
    var (left, right, top, bottom) = (columns.upperBound, columns.lowerBound, rows.upperBound, 0)
    for y in rows {
      let cells = row(y)
      for x in columns where cells[x] != 0 {
        (left, right) = (min(left, x), max(right, x + 1))
        (top, bottom) = (min(top, y), y + 1)
      }
    }
    guard left < right else { return PixelRect(x: rect.x, y: rect.y, width: 0, height: 0) }
    return PixelRect(
      x: left * Self.side, y: top * Self.side, width: (right - left) * Self.side,
      height: (bottom - top) * Self.side)
  }

  /// Row `y` dilated by a disc of radius 3: seven cells wide in three rows, then five and three.
  /// `out` holds one entry for each column.
  func dilate(_ y: Int, into out: UnsafeMutablePointer<UInt8>) {
    out.update(repeating: 0, count: size.width)
    for dy in -3...3 where y + dy >= 0 && y + dy < size.height {
      let cells = row(y + dy)
      let radius = [3, 3, 2, 1][abs(dy)]
      for dx in -radius...radius {
        let first = max(0, -dx)
        let last = max(first, min(size.width, size.width - dx))
        for x in first..<last { out[x] |= cells[x &+ dx] }
      }
    }
  }
}
