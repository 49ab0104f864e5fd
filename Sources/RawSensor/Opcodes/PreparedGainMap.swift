import ImageCore
import RawDecode

/// A ``GainMap`` for pictures of one width: the position of each column in it.
struct PreparedGainMap: Sendable {
  private let map: GainMap
  private let frame: OpcodeFrame
  private let positions: [(index: Int, fraction: Float)]

  init(_ map: GainMap, _ frame: OpcodeFrame, width: Int) {
    self.map = map
    self.frame = frame
    let across = Double(frame.size.width)
    positions = (0..<width).map {
      Self.position(frame.centerX($0) / across, map.origin.h, map.spacing.h, map.columns)
    }
  }

  func apply(_ run: PixelRun) {
    let changed = map.area.positions(in: run, frame)
    let (values, columns, planes) = (run.values, map.columns, map.planes)
    let plane = min(run.plane, planes - 1)
    let (row, down) = Self.position(
      frame.centerY(run.y) / Double(frame.size.height), map.origin.v, map.spacing.v, map.rows)
    let (first, second) = (row * columns, min(row + 1, map.rows - 1) * columns)
    let largest = OpcodeFrame.largest * frame.top
    withUnsafeTemporaryAllocation(of: Float.self, capacity: columns + 1) { line in
      for h in 0..<columns {
        let above = map.gains[(first + h) * planes + plane]
        line[h] = above + (map.gains[(second + h) * planes + plane] - above) * down
      }
      line[columns] = line[columns - 1]
      positions.withUnsafeBufferPointer { positions in
        for i in changed {
          let position = positions[run.x &+ i]
          let left = line[position.index]
          let gain = left + (line[position.index &+ 1] - left) * position.fraction
          values[i] = min(max(values[i] * gain, -largest), largest)
        }
      }
    }
  }

  /// Index of the point before `position`, a fraction of the side, and how far it is to the next.
  private static func position(
    _ position: Double, _ origin: Double, _ spacing: Double, _ count: Int
  ) -> (index: Int, fraction: Float) {
    let point = (position - origin) / spacing
    guard point > 0 else { return (0, 0) }
    guard point < Double(count - 1) else { return (count - 1, 0) }
    return (Int(point), Float(point - point.rounded(.down)))
  }
}
