import ImageCore
import RawTestSupport

@testable import RawData
@testable import RawSensor

/// Pictures with known noise, for the tests of noise reduction.
enum NoiseFixture {
  static let bayer = SensorFixture.bayers[0]
  static let even = SIMD4<Float>(repeating: 1)

  /// A sensor that records `scene`, with noise of variance a · x + b.
  static func sensor(
    _ width: Int, _ height: Int, _ cfa: CFA = bayer, shot: Float, read: Float, seed: Int = 0,
    scene: (Int, Int, Int) -> Float
  ) -> SensorData {
    SensorFixture.sensor(width, height, cfa) { x, y, c in
      let value = scene(x, y, c)
      let deviation = (shot * max(value, 0) + read).squareRoot()
      return min(value + deviation * SensorFixture.noise(x, y, seed), 1)
    }
  }

  /// Edges, gradients and fine lines in soft colors.
  static func scene(_ x: Int, _ y: Int, _ c: Int) -> Float {
    let (fx, fy) = (Float(x), Float(y))
    let tint: [Float] = [0.9, 1, 0.7, 1]
    let ramp = 0.05 + 0.3 * fx / 200
    let disc: Float = (fx - 60) * (fx - 60) + (fy - 50) * (fy - 50) < 900 ? 0.4 : 0
    let block: Float = x > 110 && x < 140 && y > 30 && c != 2 ? 0.25 : 0
    let line: Float = y % 24 == 12 && x > 20 ? 0.2 : 0
    return (ramp + disc + block + line) * tint[c]
  }

  static let model = NoiseModel(shot: 8e-3, read: 1e-4, balance: even)
  /// The spectrum of Bayer mosaics, measured once because unoptimized code takes seconds for it.
  static let spectrum = Result { () throws(RAWError) in
    try NoiseSpectrum(
      layout: .mosaic(bayer), settings: SensorSettings(), model: model)
  }

  static func reduction(
    _ source: any PixelSource<CameraRGB>, luminance: Float = 1, color: Float = 1,
    model: NoiseModel = model, method: NoiseReduction.Method = .shrinkage
  ) throws -> NoiseReduction {
    try NoiseReduction(
      source, model: model, spectrum: try spectrum.get(),
      amounts: NoiseAmounts(luminance: luminance, color: color), method: method)
  }

  /// A picture in memory.
  static func picture(
    _ width: Int, _ height: Int, _ value: (Int, Int, Int) -> Float
  ) throws -> Image<CameraRGB> {
    try Image(size: PixelSize(width: width, height: height), info: .init()) { planes in
      for c in 0..<3 {
        for y in 0..<height { for x in 0..<width { planes.row(c, y)[x] = value(x, y, c) } }
      }
    }
  }

  /// All of `source`, read at once.
  static func rendered(_ source: some PixelSource<CameraRGB>) throws -> Image<CameraRGB> {
    try Image(size: source.size, info: source.info) { (buffer: PlanarBuffer) throws(PixelError) in
      try source.read(PixelRect(source.size), into: buffer)
    }
  }

  static func mean(_ picture: Image<CameraRGB>, border: Int = 0) -> SIMD3<Double> {
    var sum = SIMD3<Double>()
    var count = 0.0
    for y in border..<picture.size.height - border {
      for x in border..<picture.size.width - border {
        sum += SIMD3<Double>(picture[x, y])
        count += 1
      }
    }
    return sum / count
  }

  /// Mean square difference of square roots, which are about perceptually uniform.
  static func error(
    _ picture: Image<CameraRGB>, _ truth: (Int, Int, Int) -> Float, border: Int = 8
  ) -> Double {
    var sum = 0.0
    for y in border..<picture.size.height - border {
      for x in border..<picture.size.width - border {
        for c in 0..<3 {
          let d = max(picture[x, y][c], 0).squareRoot() - truth(x, y, c).squareRoot()
          sum += Double(d * d)
        }
      }
    }
    return sum / Double(3 * (picture.size.width - 2 * border) * (picture.size.height - 2 * border))
  }

  /// Samples whose bits differ.
  static func differences(_ a: Image<CameraRGB>, _ b: Image<CameraRGB>) -> Int {
    var count = 0
    for c in 0..<3 {
      for y in 0..<a.size.height {
        let (p, q) = (a.row(c, y), b.row(c, y))
        for x in 0..<a.size.width where p[x].bitPattern != q[x].bitPattern { count += 1 }
      }
    }
    return count
  }

  /// Samples in the rectangles of `rects` that differ from `source` read at once.
  static func differences(
    _ source: some PixelSource<CameraRGB>, in rects: [PixelRect]
  ) throws -> Int {
    try differences(source, in: rects) { try source.read($0, into: $1) }
  }

  /// Samples in a lane of `columns`, read from top to bottom in rectangles of `heights` in turn,
  /// that differ from `source` read at once.
  static func differences(
    _ source: some PixelSource<CameraRGB>, inLaneOf heights: [Int], _ columns: Range<Int>
  ) throws -> Int {
    var rects: [PixelRect] = []
    while (rects.last?.endY ?? 0) < source.size.height {
      let y = rects.last?.endY ?? 0
      let height = min(heights[rects.count % heights.count], source.size.height - y)
      rects.append(PixelRect(x: columns.lowerBound, y: y, width: columns.count, height: height))
    }
    let lane = ReadingLane()
    return try differences(source, in: rects) { try lane.read($0, of: source, into: $1) }
  }

  private static func differences(
    _ source: some PixelSource<CameraRGB>, in rects: [PixelRect],
    _ read: (PixelRect, PlanarBuffer) throws -> Void
  ) throws -> Int {
    let all = try rendered(source)
    let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    var count = 0
    for rect in rects {
      try read(rect, part)
      for c in 0..<3 {
        for y in 0..<rect.height {
          let (p, q) = (part.row(c, y), all.row(c, rect.y + y).from(rect.x))
          for x in 0..<rect.width where p[x].bitPattern != q[x].bitPattern { count += 1 }
        }
      }
    }
    return count
  }

  /// Corners, single pixels and stripes of a picture.
  static func cuts(_ size: PixelSize) -> [PixelRect] {
    let (w, h) = (size.width, size.height)
    return [
      PixelRect(x: 0, y: 0, width: 1, height: 1),
      PixelRect(x: w - 1, y: h - 1, width: 1, height: 1),
      PixelRect(x: 3, y: 5, width: 37, height: 21),
      PixelRect(x: w - 31, y: 0, width: 31, height: 9),
      PixelRect(x: 0, y: h / 2 + 1, width: w, height: 7),
      PixelRect(x: w / 3, y: 0, width: 11, height: h),
    ]
  }
}

/// A picture that records how far around a rectangle it was read.
final class WatchedPicture: PixelSource, @unchecked Sendable {
  typealias State = CameraRGB

  let picture: Image<CameraRGB>
  var read: [PixelRect] = []

  init(_ picture: Image<CameraRGB>) { self.picture = picture }

  var size: PixelSize { picture.size }
  var info: CameraRGB.Info { picture.info }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    read.append(rect)
    try picture.read(rect, into: buffer)
  }
}
