import ImageCore

/// GainMap (DNG 1.7.1 chapter 7, id 9): multiplies values by a coarse map of gains.
///
/// Formula: the map at ((column + ½)/W − originH)/spacingH, ((row + ½)/H − originV)/spacingV,
/// bilinear, clamped at its edges; plane p uses the map's plane p, or its last.
/// Units: any. Values above 1 are preserved where the reference renderer clips them, so that gains
/// of 3 in the corners of a phone picture do not clip highlights.
package struct GainMap: Sendable {
  package let area: OpcodeArea
  package let rows: Int
  package let columns: Int
  package let spacing: (v: Double, h: Double)
  package let origin: (v: Double, h: Double)
  package let planes: Int
  /// In row, column, plane order.
  package let gains: [Float]

  init(_ reader: inout OpcodeReader) throws(OpcodeDamage) {
    area = try OpcodeArea(&reader)
    rows = try reader.word()
    columns = try reader.word()
    let numbers = try reader.doubles(4)
    planes = try reader.word()
    guard rows > 0, columns > 0, planes > 0 else { throw OpcodeDamage() }
    try reader.require(rows, of: 4)
    try reader.require(columns, of: 4 * rows)
    try reader.require(planes, of: 4 * rows * columns)
    gains = try reader.floats(rows * columns * planes)
    // A single point has no spacing.
    spacing = (rows == 1 ? 1 : numbers[0], columns == 1 ? 1 : numbers[1])
    origin = (rows == 1 ? 0 : numbers[2], columns == 1 ? 0 : numbers[3])
    guard spacing.v > 0, spacing.h > 0, (1 / spacing.v).isFinite, (1 / spacing.h).isFinite,
      gains.allSatisfy({ abs($0) <= OpcodeFrame.largest })
    else { throw OpcodeDamage() }
  }

  var isIdentity: Bool { gains.allSatisfy { $0 == 1 } }
}
