import ImageCore
import RawData

extension RowColumnOpcode {
  func apply(_ run: PixelRun, _ frame: OpcodeFrame) {
    let positions = area.positions(in: run, frame)
    let largest = OpcodeFrame.largest * frame.top
    for i in positions {
      let index =
        line == .row
        ? area.rowIndex(frame.row(run.y)) : area.columnIndex(frame.column(run.x + i))
      // An area of the full picture may be larger than the list.
      guard index < values.count else { return }
      let value =
        operation == .add
        ? run.values[i] + values[index] * run.balance : run.values[i] * values[index]
      run.values[i] = min(max(value, -largest), largest)
    }
  }
}
