import ImageCore
import RawDecode

/// Scales integers by a power of 2 for lossy JPEG XL, so that white is near the top of its 16 bits:
/// a distance then has the same meaning for sensors of 12 and 16 bits. Levels are scaled, too.
/// Samples before a LinearizationTable are never compressed lossily (``DNGWriter``).
enum LossyScale {
  /// The largest shift for which no sample and no white exceeds 16 bits. 0 if opcode list 1 refers
  /// to stored codes.
  static func shift(_ data: SensorData, _ raw: RawFile, isLinear: Bool) -> Int {
    guard isLinear || raw.info.opcodes.names.first?.isEmpty != false else { return 0 }
    let levels = data.levels
    let black = Double(levels.black.max() ?? 0)
    let white = (0..<3).map { black + 1 / Double(levels.scale[$0]) }.max() ?? 65535
    var highest: UInt16 = 0
    for y in 0..<data.samples.rows {
      let row = unsafe UnsafeBufferPointer(
        start: data.samples.counts(row: y), count: data.samples.stride)
      highest = max(highest, unsafe row.max() ?? 0)
    }
    return (0...8).last { shift in
      max(white.rounded(), Double(highest)) * Double(1 << shift) <= 65535
    } ?? 0
  }

  static func scaled(_ data: SensorData, by shift: Int) throws(PixelError) -> SensorData {
    guard shift > 0 else { return data }
    let factor = Float(1 << shift)
    var levels = data.levels
    levels.black = levels.black.map { $0 * factor }
    levels.deltaRow = levels.deltaRow.map { $0 * factor }
    levels.deltaColumn = levels.deltaColumn.map { $0 * factor }
    levels.scale /= factor
    let count = data.samples.stride * data.samples.rows
    return SensorData(
      size: data.size, layout: data.layout,
      samples: try data.samples.changed(of: UInt16.self) { samples in
        for i in 0..<count { samples[i] <<= UInt16(shift) }
      }, levels: levels)
  }
}
