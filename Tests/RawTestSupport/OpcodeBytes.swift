import ImageCore

@testable import RawFilter

/// Writes opcode lists, big-endian, for tests.
struct OpcodeBytes {
  var bytes: [UInt8] = []

  static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
  static func words(_ values: Int...) -> [UInt8] { values.flatMap { word($0) } }
  static func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { word(Int($0.bitPattern)) }
  }
  static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }
  }

  static func opcode(
    _ id: Int, _ data: [UInt8], flags: Int = 0, version: [UInt8] = [1, 3, 0, 0]
  ) -> [UInt8] {
    word(id) + version + word(flags) + word(data.count) + data
  }

  static func list(_ opcodes: [UInt8]...) -> [UInt8] { list(opcodes) }
  static func list(_ opcodes: [[UInt8]]) -> [UInt8] {
    word(opcodes.count) + opcodes.flatMap { $0 }
  }

  /// An area: top, left, bottom, right, plane, planes, row pitch, column pitch.
  static func area(
    _ top: Int = 0, _ left: Int = 0, _ bottom: Int = 0, _ right: Int = 0, plane: Int = 0,
    planes: Int = 1, pitch: (Int, Int) = (1, 1)
  ) -> [UInt8] {
    words(top, left, bottom, right, plane, planes, pitch.0, pitch.1)
  }

  static func polynomial(_ c: [Double], _ area: [UInt8] = area(), flags: Int = 0) -> [UInt8] {
    opcode(8, area + word(c.count - 1) + doubles(c), flags: flags)
  }
  static func table(_ entries: [UInt16], _ area: [UInt8] = area()) -> [UInt8] {
    opcode(7, area + word(entries.count) + entries.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
  }
  static func gainMap(
    _ rows: Int, _ columns: Int, _ gains: [Float], _ area: [UInt8] = area(), planes: Int = 1,
    spacing: (Double, Double)? = nil, origin: (Double, Double) = (0, 0), flags: Int = 0
  ) -> [UInt8] {
    let step = spacing ?? (1 / Double(max(rows - 1, 1)), 1 / Double(max(columns - 1, 1)))
    return opcode(
      9,
      area + words(rows, columns) + doubles([step.0, step.1, origin.0, origin.1]) + word(planes)
        + floats(gains), flags: flags)
  }
  static func lines(_ id: Int, _ values: [Float], _ area: [UInt8] = area()) -> [UInt8] {
    opcode(id, area + word(values.count) + floats(values))
  }
  static func rectilinear(
    _ sets: [[Double]], center: (Double, Double) = (0.5, 0.5), flags: Int = 0
  ) -> [UInt8] {
    opcode(
      1, word(sets.count) + doubles(sets.flatMap { $0 } + [center.0, center.1]), flags: flags)
  }
  static func rectilinear2(
    _ powers: [Double], tangential: [Double] = [0, 0], range: (Double, Double) = (0, 1),
    reciprocal: Int = 0, flags: Int = 0
  ) -> [UInt8] {
    let k = powers + Array(repeating: 0, count: 15 - powers.count)
    return opcode(
      14, word(1) + doubles(k + tangential + [range.0, range.1, 0.5, 0.5]) + word(reciprocal),
      flags: flags, version: [1, 6, 0, 0])
  }
  static func fisheye(_ k: [Double], center: (Double, Double) = (0.5, 0.5)) -> [UInt8] {
    opcode(2, word(1) + doubles(k + [center.0, center.1]))
  }
  static func vignette(
    _ k: [Double], center: (Double, Double) = (0.5, 0.5), flags: Int = 0
  ) -> [UInt8] {
    opcode(3, doubles(k + [center.0, center.1]), flags: flags)
  }
}

/// Opcode lists of small pictures, and what they make of them.
enum OpcodeFixture {
  /// Lists 1, 2 and 3 of a picture of `size`.
  static func lists(
    _ first: [UInt8] = [], _ second: [UInt8] = [], _ third: [UInt8] = [],
    size: PixelSize = PixelSize(width: 8, height: 6), active: PixelRect? = nil,
    isMosaic: Bool = false
  ) throws -> OpcodeLists {
    try OpcodeLists(
      [first, second, third],
      OpcodeLists.Picture(
        stored: size, active: active ?? PixelRect(size), isMosaic: isMosaic))
  }

  /// A picture whose channel c at (x, y) is `value`(x, y, c).
  static func image(
    _ size: PixelSize, _ value: (Int, Int, Int) -> Float
  ) -> Image<CameraRGB> {
    Image(size: size, info: CameraRGB.Info()) { (buffer: PlanarBuffer) in
      for c in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width { buffer.row(c, y)[x] = value(x, y, c) }
        }
      }
    }
  }

  /// `image` behind list 3.
  static func corrected(
    _ image: Image<CameraRGB>, _ list: [UInt8], reduction: Int = 1,
    balance: SIMD3<Float> = SIMD3(repeating: 1), _ selection: OpcodeSelection = OpcodeSelection()
  ) throws -> any PixelSource<CameraRGB> {
    let size = PixelSize(
      width: image.size.width * reduction, height: image.size.height * reduction)
    let lists = try lists([], [], list, size: size)
    return LensStage(
      actions: lists.actions(.lens, selection), frame: lists.frame(.lens), balance: balance
    ).applied(to: image, reduction: reduction)
  }

  static func rendered(_ source: any PixelSource<CameraRGB>) -> Image<CameraRGB> {
    Image(rendering: source, workers: 1)
  }

  /// Integer samples, black 0, white 65535, `light`(x, y, sample) stored.
  static func data(
    _ size: PixelSize, _ layout: SensorData.Layout, light: (Int, Int, Int) -> UInt16
  ) -> SensorData {
    let perPixel = layout == .linear ? 3 : 1
    let samples = RawSamples(format: .uint16, stride: size.width * perPixel, rows: size.height) {
      let memory = $0.assumingMemoryBound(to: UInt16.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          for s in 0..<perPixel { memory[(y * size.width + x) * perPixel + s] = light(x, y, s) }
        }
      }
    }
    return SensorData(
      size: size, layout: layout, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: Array(repeating: 0, count: perPixel),
        scale: SIMD4(repeating: 1 / 65535)))
  }

  static func linear(_ data: SensorData, row: Int) -> [Float] {
    var values = [Float](repeating: 0, count: data.size.width * data.samplesPerPixel)
    values.withUnsafeMutableBufferPointer {
      if let start = $0.baseAddress { data.linear(row: row, into: start) }
    }
    return values
  }
}
