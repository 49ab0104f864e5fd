/// Writes opcode lists, big-endian, for tests.
package enum OpcodeBytes {
  package static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
  package static func words(_ values: Int...) -> [UInt8] { values.flatMap { word($0) } }
  package static func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { word(Int($0.bitPattern)) }
  }
  package static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }
  }

  package static func opcode(
    _ id: Int, _ data: [UInt8], flags: Int = 0, version: [UInt8] = [1, 3, 0, 0]
  ) -> [UInt8] {
    word(id) + version + word(flags) + word(data.count) + data
  }

  package static func list(_ opcodes: [UInt8]...) -> [UInt8] { list(opcodes) }
  package static func list(_ opcodes: [[UInt8]]) -> [UInt8] {
    word(opcodes.count) + opcodes.flatMap { $0 }
  }

  /// An area: top, left, bottom, right, plane, planes, row pitch, column pitch.
  package static func area(
    _ top: Int = 0, _ left: Int = 0, _ bottom: Int = 0, _ right: Int = 0, plane: Int = 0,
    planes: Int = 1, pitch: (Int, Int) = (1, 1)
  ) -> [UInt8] {
    words(top, left, bottom, right, plane, planes, pitch.0, pitch.1)
  }

  package static func polynomial(_ c: [Double], _ area: [UInt8] = area(), flags: Int = 0) -> [UInt8]
  {
    opcode(8, area + word(c.count - 1) + doubles(c), flags: flags)
  }
  package static func table(_ entries: [UInt16], _ area: [UInt8] = area()) -> [UInt8] {
    opcode(7, area + word(entries.count) + entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }
  package static func gainMap(
    _ rows: Int, _ columns: Int, _ gains: [Float], _ area: [UInt8] = area(), planes: Int = 1,
    spacing: (Double, Double)? = nil, origin: (Double, Double) = (0, 0), flags: Int = 0
  ) -> [UInt8] {
    let step = spacing ?? (1 / Double(max(rows - 1, 1)), 1 / Double(max(columns - 1, 1)))
    return opcode(
      9,
      area + words(rows, columns) + doubles([step.0, step.1, origin.0, origin.1]) + word(planes)
        + floats(gains), flags: flags)
  }
  package static func lines(_ id: Int, _ values: [Float], _ area: [UInt8] = area()) -> [UInt8] {
    opcode(id, area + word(values.count) + floats(values))
  }
  package static func rectilinear(
    _ sets: [[Double]], center: (Double, Double) = (0.5, 0.5), flags: Int = 0
  ) -> [UInt8] {
    opcode(
      1, word(sets.count) + doubles(sets.flatMap { $0 } + [center.0, center.1]), flags: flags)
  }
  package static func rectilinear2(
    _ powers: [Double], tangential: [Double] = [0, 0], range: (Double, Double) = (0, 1),
    reciprocal: Int = 0, flags: Int = 0
  ) -> [UInt8] {
    let k = powers + Array(repeating: 0, count: 15 - powers.count)
    return opcode(
      14, word(1) + doubles(k + tangential + [range.0, range.1, 0.5, 0.5]) + word(reciprocal),
      flags: flags, version: [1, 6, 0, 0])
  }
  package static func fisheye(_ k: [Double], center: (Double, Double) = (0.5, 0.5)) -> [UInt8] {
    opcode(2, word(1) + doubles(k + [center.0, center.1]))
  }
  package static func vignette(
    _ k: [Double], center: (Double, Double) = (0.5, 0.5), flags: Int = 0
  ) -> [UInt8] {
    opcode(3, doubles(k + [center.0, center.1]), flags: flags)
  }
}
