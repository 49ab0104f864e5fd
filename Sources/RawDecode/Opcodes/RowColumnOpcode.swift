import ImageCore

/// DeltaPerRow, DeltaPerColumn, ScalePerRow and ScalePerColumn (DNG 1.7.1 chapter 7, ids 10…13): a
/// number for each row, or column, of an area is added to, or multiplies, its values.
///
/// Units: deltas 0…1 in lists 2 and 3, stored numbers in list 1 of an integer file. Values below 0
/// and above 1 are kept where the reference renderer clips them.
struct RowColumnOpcode: Sendable {
  enum Line: Sendable { case row, column }
  enum Operation: Sendable { case add, multiply }

  let area: OpcodeArea
  let line: Line
  let operation: Operation
  let values: [Float]

  init(
    _ reader: inout OpcodeReader, _ operation: Operation, per line: Line
  ) throws(OpcodeDamage) {
    area = try OpcodeArea(&reader)
    self.line = line
    self.operation = operation
    let count = try reader.word()
    values = try reader.floats(count)
    let needed = line == .row ? area.rowCount : area.columnCount
    guard count > 0, count == needed ?? count,
      values.allSatisfy({ abs($0) <= OpcodeFrame.largest })
    else { throw OpcodeDamage() }
  }

  var isIdentity: Bool { values.allSatisfy { $0 == (operation == .add ? 0 : 1) } }

  func apply(_ run: PixelRun, _ frame: OpcodeFrame) {
    let positions = area.positions(in: run, frame)
    let largest = OpcodeFrame.largest * frame.top
    for i in positions {
      let index =
        line == .row
        ? area.rowIndex(frame.row(run.y)) : area.columnIndex(frame.column(run.x + i))
      // An area of the whole picture may be larger than the list.
      guard index < values.count else { return }
      let value =
        operation == .add
        ? run.values[i] + values[index] * run.balance : run.values[i] * values[index]
      run.values[i] = min(max(value, -largest), largest)
    }
  }
}
