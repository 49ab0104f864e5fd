import ImageCore

@testable import RawData
@testable import RawSensor

/// Opcode lists of small pictures, and their results.
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
  ) throws -> Image<CameraRGB> {
    try Image(size: size, info: CameraRGB.Info()) { (buffer: PlanarBuffer) in
      for c in 0..<3 {
        for y in 0..<size.height {
          for x in 0..<size.width { buffer.row(c, y)[x] = value(x, y, c) }
        }
      }
    }
  }

  /// `image` after list 3.
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

  static func rendered(_ source: any PixelSource<CameraRGB>) throws -> Image<CameraRGB> {
    try Image(rendering: source, workers: 1)
  }

  /// Integer samples, black 0, white 65535, `sample`(x, y, s) stored.
  static func data(
    _ size: PixelSize, _ layout: SensorData.Layout, sample: (Int, Int, Int) -> UInt16
  ) throws -> SensorData {
    let perPixel = layout == .linear ? 3 : 1
    let samples = try RawSamples(of: UInt16.self, stride: size.width * perPixel, rows: size.height)
    {
      memory in
      for y in 0..<size.height {
        for x in 0..<size.width {
          for s in 0..<perPixel { memory[(y * size.width + x) * perPixel + s] = sample(x, y, s) }
        }
      }
    }
    return SensorData(
      size: size, layout: layout, samples: samples,
      levels: SensorLevels(
        patternWidth: 1, patternHeight: 1, black: Array(repeating: 0, count: perPixel),
        scale: SIMD4(repeating: 1 / 65535)))
  }
}
