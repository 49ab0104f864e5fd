import ImageCore
import RawData

/// Consecutive samples of one plane of one row.
struct PixelRun {
  let values: MutableRowView
  let count: Int
  /// Column of the first.
  let x: Int
  let y: Int
  /// Plane as opcodes count them.
  var plane = 0
  /// White balance that the samples are multiplied by, and that opcodes do not include.
  var balance: Float = 1
}

extension OpcodeArea {
  /// Indices of the samples of `run` that are changed. Samples outside the frame were trimmed and
  /// are not visible.
  func positions(in run: PixelRun, _ frame: OpcodeFrame) -> StrideTo<Int> {
    let none = stride(from: 0, to: 0, by: 1)
    let area = rect?.intersection(PixelRect(frame.size)) ?? PixelRect(frame.size)
    let y = frame.row(run.y)
    guard holds(plane: run.plane), y >= area.y, y < area.endY, (y - area.y) % rowPitch == 0 else {
      return none
    }
    func position(_ column: Int) -> Int {
      let distance = column - frame.column(run.x)
      let k = frame.reduction
      return distance <= 0 ? 0 : (distance + k - 1) / k
    }
    let first = position(area.x)
    let end = min(position(area.endX), run.count)
    guard first < end else { return none }
    let past = (frame.column(run.x + first) - area.x) % columnPitch
    return stride(from: first + (past == 0 ? 0 : columnPitch - past), to: end, by: columnPitch)
  }
}
