import Foundation
import ImageCore

/// The parts of a reduced picture that depend on given areas of the camera's picture.
struct ChangedParts: Sendable {
  /// Size of a tile, the unit of change; smaller tiles read more pixels around them.
  private static let tile = PixelSize(width: 64, height: 32)

  /// Rectangles that do not overlap.
  let rects: [PixelRect]
  /// Number of pixels in them.
  var area: Int { rects.reduce(0) { $0 + $1.size.area } }

  /// `areas` in photosites; `reach`: pixels of the camera's picture around a pixel that it depends
  /// on, without the support of the reduction by `framing`.
  init(_ areas: [PixelRect], reach: Int, in framing: Framing) {
    let (size, step) = (framing.size, Double(framing.reduction))
    let (across, down) = (
      (size.width + Self.tile.width - 1) / Self.tile.width,
      (size.height + Self.tile.height - 1) / Self.tile.height
    )
    var marked = [Bool](repeating: false, count: across * down)
    // Lanczos's filter reads three pixels of the result on both sides; the rest is for rounding.
    func span(
      _ from: Int, _ to: Int, _ crop: (start: Int, length: Int), _ side: Int, _ tile: Int
    ) -> ClosedRange<Int>? {
      let scale = Double(side) / (Double(crop.length) / step)
      func position(_ site: Int, _ reach: Int) -> Double {
        (Double(site - crop.start) / step + Double(reach)) * scale
      }
      let first = Int(position(from, -reach).rounded(.down)) - 5
      let last = Int(position(to, reach).rounded(.up)) + 5
      guard last >= 0, first < side else { return nil }
      return max(first, 0) / tile...min(last, side - 1) / tile
    }
    let crop = framing.crop
    for area in areas {
      guard
        let columns = span(area.x, area.endX, (crop.x, crop.width), size.width, Self.tile.width),
        let rows = span(area.y, area.endY, (crop.y, crop.height), size.height, Self.tile.height)
      else { continue }
      for row in rows { for column in columns { marked[row * across + column] = true } }
    }
    var rects: [PixelRect] = []
    for row in 0..<down {
      var column = 0
      while column < across {
        guard marked[row * across + column] else {
          column += 1
          continue
        }
        let first = column
        while column < across, marked[row * across + column] { column += 1 }
        let (x, y) = (first * Self.tile.width, row * Self.tile.height)
        let run = PixelRect(
          x: x, y: y, width: (column - first) * Self.tile.width, height: Self.tile.height
        ).intersection(PixelRect(size))
        // At most four rows of tiles, so that several threads have work.
        if let above = rects.lastIndex(where: {
          $0.x == run.x && $0.width == run.width && $0.endY == run.y
            && $0.height < 4 * Self.tile.height
        }) {
          rects[above].height += run.height
        } else {
          rects.append(run)
        }
      }
    }
    self.rects = rects
  }
}
