/// DeltaPerRow, DeltaPerColumn, ScalePerRow and ScalePerColumn (DNG 1.7.1 chapter 7, ids 10…13):
/// adds a number to, or multiplies by it, the values of each row or column of an area.
///
/// Units: deltas 0…1 in lists 2 and 3, stored values in list 1 of an integer file. Values below 0
/// and above 1 are preserved where the reference renderer clips them.
package struct RowColumnOpcode: Sendable {
  package enum Line: Sendable { case row, column }
  package enum Operation: Sendable { case add, multiply }

  package let area: OpcodeArea
  package let line: Line
  package let operation: Operation
  package let values: [Float]

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
}
