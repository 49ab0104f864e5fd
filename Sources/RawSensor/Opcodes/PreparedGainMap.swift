import ImageCore
import RawData

/// A ``GainMap`` for pictures of one width. Gains are interpolated from the map itself, not from a
/// row of it: it may have many more columns than a run has samples.
struct PreparedGainMap: Sendable {
  /// Maximum number of maps of a picture that store the position of each column: a mosaic has one
  /// for each filter. Hundreds would take many times a low picture's memory.
  static let maxStored = 8

  private struct Position {
    var index: Int32
    var fraction: Float
  }

  private let map: GainMap
  private let frame: OpcodeFrame
  /// The position of each column; empty if computed on demand, with the same bits.
  private let positions: [Position]

  init(_ map: GainMap, _ frame: OpcodeFrame, width: Int, keepsPositions: Bool) {
    (self.map, self.frame) = (map, frame)
    let across = Double(frame.size.width)
    positions = (0..<(keepsPositions ? width : 0)).map {
      Self.position(frame.centerX($0) / across, map.origin.h, map.spacing.h, map.columns)
    }
  }

  func apply(_ run: PixelRun) {
    let changed = map.area.positions(in: run, frame)
    let across = Double(frame.size.width)
    positions.withUnsafeBufferPointer { positions in
      if positions.isEmpty {
        apply(run, changed) {
          Self.position(frame.centerX($0) / across, map.origin.h, map.spacing.h, map.columns)
        }
      } else {
        apply(run, changed) { positions[$0] }
      }
    }
  }

  @inline(__always)
  private func apply(
    _ run: PixelRun, _ changed: StrideTo<Int>, at position: (_ column: Int) -> Position
  ) {
    let (values, columns, planes) = (run.values, map.columns, map.planes)
    let plane = min(run.plane, planes - 1)
    let row = Self.position(
      frame.centerY(run.y) / Double(frame.size.height), map.origin.v, map.spacing.v, map.rows)
    let (first, second) = (Int(row.index), min(Int(row.index) + 1, map.rows - 1))
    let largest = OpcodeFrame.largest * frame.top
    map.gains.withUnsafeBufferPointer { gains in
      @inline(__always)
      func gain(_ column: Int) -> Float {
        let above = gains[(first * columns + column) * planes + plane]
        let below = gains[(second * columns + column) * planes + plane]
        return above + (below - above) * row.fraction
      }
      var (index, left, step) = (Int32(-1), Float(0), Float(0))
      for i in changed {
        let position = position(run.x &+ i)
        // Most neighbors lie between the same points.
        if position.index != index {
          index = position.index
          left = gain(Int(index))
          step = gain(min(Int(index) + 1, columns - 1)) - left
        }
        values[i] = min(max(values[i] * (left + step * position.fraction), -largest), largest)
      }
    }
  }

  /// The point before `position`, a fraction of the side, and the fraction of the way to the next.
  @inline(__always)
  private static func position(
    _ position: Double, _ origin: Double, _ spacing: Double, _ count: Int
  ) -> Position {
    let point = (position - origin) / spacing
    guard point > 0 else { return Position(index: 0, fraction: 0) }
    guard point < Double(count - 1) else { return Position(index: Int32(count - 1), fraction: 0) }
    let index = Int32(point)
    return Position(index: index, fraction: Float(point - Double(index)))
  }
}
