package import ImageCore

/// The samples that an opcode changes: every n-th row and column of a rectangle, in some planes
/// (DNG 1.7.1 chapter 7). An empty rectangle means the complete picture.
package struct OpcodeArea: Sendable, Hashable {
  /// Nil for the complete picture.
  package let rect: PixelRect?
  let firstPlane: Int
  package let planes: Int
  package let rowPitch: Int
  package let columnPitch: Int

  init(_ reader: inout OpcodeReader) throws(OpcodeDamage) {
    let (top, left) = (try reader.word(), try reader.word())
    let (bottom, right) = (try reader.word(), try reader.word())
    firstPlane = try reader.word()
    planes = try reader.word()
    rowPitch = try reader.word()
    columnPitch = try reader.word()
    guard top <= bottom, left <= right, planes > 0, rowPitch > 0, columnPitch > 0 else {
      throw OpcodeDamage()
    }
    let area = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    rect = area.isEmpty ? nil : area
  }

  private init(planesOf other: OpcodeArea) {
    rect = nil
    (firstPlane, planes) = (other.firstPlane, other.planes)
    (rowPitch, columnPitch) = (1, 1)
  }

  /// All samples of its planes.
  package var everywhere: OpcodeArea { OpcodeArea(planesOf: self) }

  /// Whether samples of `plane` are changed.
  package func holds(plane: Int) -> Bool { plane >= firstPlane && plane - firstPlane < planes }

  /// Whether every sample of its planes in a picture of `size` is changed.
  package func covers(_ size: PixelSize) -> Bool {
    rowPitch == 1 && columnPitch == 1 && (rect?.contains(PixelRect(size)) ?? true)
  }

  /// Whether it has the same meaning at reduced resolution.
  package var isReducible: Bool { rowPitch == 1 && columnPitch == 1 }

  /// Number of changed rows, if the rectangle is given.
  var rowCount: Int? { rect.map { ($0.height - 1) / rowPitch + 1 } }
  /// Number of changed columns, if the rectangle is given.
  var columnCount: Int? { rect.map { ($0.width - 1) / columnPitch + 1 } }

  /// Index of row `y` of the frame among the changed rows.
  @inlinable
  package func rowIndex(_ y: Int) -> Int { (y - (rect?.y ?? 0)) / rowPitch }
  /// Index of column `x` of the frame among the changed columns.
  @inlinable
  package func columnIndex(_ x: Int) -> Int { (x - (rect?.x ?? 0)) / columnPitch }
}
