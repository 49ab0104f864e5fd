import ImageCore

/// GainMap (DNG 1.7.1 chapter 7, id 9): light times a coarse map of gains.
///
/// Formula: the map at ((column + ½)/W − originH)/spacingH, ((row + ½)/H − originV)/spacingV,
/// bilinear, beyond its edges as at them; plane p takes the map's plane p, or its last.
/// Units: any; values above 1 are kept where the reference renderer clips them, so that gains of
/// three in the corners of a phone's picture do not cost its highlights.
struct GainMap: Sendable {
  let area: OpcodeArea
  let rows: Int
  let columns: Int
  let spacing: (v: Double, h: Double)
  let origin: (v: Double, h: Double)
  let planes: Int
  /// Row by row, column by column, plane by plane.
  let gains: [Float]

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

  /// Index of the point before `position`, a share of the side, and the way to the next.
  fileprivate static func place(
    _ position: Double, _ origin: Double, _ spacing: Double, _ count: Int
  ) -> (index: Int, fraction: Float) {
    let point = (position - origin) / spacing
    guard point > 0 else { return (0, 0) }
    guard point < Double(count - 1) else { return (count - 1, 0) }
    return (Int(point), Float(point - point.rounded(.down)))
  }
}

/// A ``GainMap`` for pictures of one width: the place of each column in it.
struct PlacedGainMap: Sendable {
  private let map: GainMap
  private let frame: OpcodeFrame
  private let places: [(index: Int, fraction: Float)]

  init(_ map: GainMap, _ frame: OpcodeFrame, width: Int) {
    self.map = map
    self.frame = frame
    let across = Double(frame.size.width)
    places = (0..<width).map {
      GainMap.place(frame.centerX($0) / across, map.origin.h, map.spacing.h, map.columns)
    }
  }

  func apply(_ run: PixelRun) {
    let positions = map.area.positions(in: run, frame)
    let (values, columns, planes) = (run.values, map.columns, map.planes)
    let plane = min(run.plane, planes - 1)
    let (row, down) = GainMap.place(
      frame.centerY(run.y) / Double(frame.size.height), map.origin.v, map.spacing.v, map.rows)
    let (first, second) = (row * columns, min(row + 1, map.rows - 1) * columns)
    let largest = OpcodeFrame.largest * frame.top
    withUnsafeTemporaryAllocation(of: Float.self, capacity: columns + 1) { line in
      for h in 0..<columns {
        let above = map.gains[(first + h) * planes + plane]
        line[h] = above + (map.gains[(second + h) * planes + plane] - above) * down
      }
      line[columns] = line[columns - 1]
      places.withUnsafeBufferPointer { places in
        for i in positions {
          let place = places[run.x &+ i]
          let left = line[place.index]
          let gain = left + (line[place.index &+ 1] - left) * place.fraction
          values[i] = min(max(values[i] * gain, -largest), largest)
        }
      }
    }
  }
}
