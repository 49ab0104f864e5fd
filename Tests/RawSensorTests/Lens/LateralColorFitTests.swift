import Foundation
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LateralColorFitTests {
  static let size = PixelSize(width: 1152, height: 864)
  static let patterns = [
    SensorFixture.bayers[0], SensorFixture.bayers[2], SensorFixture.xTrans(),
    CFA(width: 2, height: 2, channels: [0, 1, 3, 2]),
  ]

  /// Overlapping leaves in soft colors, each edge as wide as a lens renders it.
  private struct Leaves: Sendable {
    struct Leaf {
      let x: Float
      let y: Float
      let radius: Float
      let color: SIMD4<Float>
    }
    private static let cell: Float = 32
    private let leaves: [Leaf]
    private let columns: Int
    private let grid: [[Int]]

    init(_ size: PixelSize, count: Int, seed: UInt64) {
      var random = SeededRandom(seed: seed)
      func uniform(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &random) }
      leaves = (0..<count).map { _ in
        let brightness = exp(uniform(-3.5...(-0.4)))
        let tint = SIMD4(uniform(0.6...1.4), 1, uniform(0.6...1.4), 1)
        return Leaf(
          x: uniform(0...Float(size.width)), y: uniform(0...Float(size.height)),
          radius: 4 * pow(uniform(0.02...1), -0.7), color: tint * brightness)
      }
      columns = Int(Float(size.width) / Self.cell) + 1
      let rows = Int(Float(size.height) / Self.cell) + 1
      var grid = [[Int]](repeating: [], count: columns * rows)
      for (index, leaf) in leaves.enumerated() {
        let reach = leaf.radius + 8
        for row in max(
          Int((leaf.y - reach) / Self.cell), 0)...max(Int((leaf.y + reach) / Self.cell), 0)
        where row < rows {
          for column in max(
            Int((leaf.x - reach) / Self.cell), 0)...max(
              Int((leaf.x + reach) / Self.cell), 0)
          where column < columns {
            grid[row * columns + column].append(index)
          }
        }
      }
      self.grid = grid
    }

    func value(_ x: Float, _ y: Float, _ c: Int) -> Float {
      let column = min(max(Int(x / Self.cell), 0), columns - 1)
      let row = min(max(Int(y / Self.cell), 0), grid.count / columns - 1)
      var value: Float = 0.1
      for index in grid[row * columns + column] {
        let leaf = leaves[index]
        let (dx, dy) = (x - leaf.x, y - leaf.y)
        let outside = (dx * dx + dy * dy).squareRoot() - leaf.radius
        if outside > 4 { continue }
        let cover = 1 / (1 + exp(outside / 0.36))
        value += (leaf.color[c] - value) * cover
      }
      return value
    }
  }

  private static let leaves = Leaves(size, count: 5000, seed: 11)

  /// Terms of ``LateralShift``, in pixels.
  struct Truth: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var red: [Double]
    var blue: [Double]
  }
  private static func terms(_ values: [Int: Double]) -> [Double] {
    (0..<LateralShift.termCount).map { values[$0] ?? 0 }
  }
  static let truths = [
    Truth(
      testDescription: "radial", red: terms([2: 1, 6: 0.6, 7: -0.2]),
      blue: terms([2: -1.2, 6: 0.2, 7: 0.3])),
    Truth(testDescription: "wide", red: terms([2: 2.4, 6: 0.5]), blue: terms([2: -2.4, 6: -0.4])),
    Truth(
      testDescription: "affine", red: terms([0: 0.4, 1: -0.3, 2: 0.6, 3: 0.4, 4: 0.3, 5: -0.2]),
      blue: terms([0: -0.2, 1: 0.2, 2: -0.7, 3: 0.2, 4: -0.1])),
    Truth(
      testDescription: "off center", red: terms([2: 0.8, 6: 0.6, 8: 0.25, 9: -0.15]),
      blue: terms([2: -0.6, 6: -0.5, 8: -0.2])),
  ]
  static let none = Truth(testDescription: "none", red: terms([:]), blue: terms([:]))

  /// The record of a sensor behind such a lens; noise of variance `shot` · x.
  static func sensor(_ cfa: CFA, _ truth: Truth, shot: Float = 4e-5) -> SensorData {
    let shifts = [LateralShift(truth.red), nil, LateralShift(truth.blue), nil]
    let middle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
    let unit = (Double(size.width * size.width + size.height * size.height)).squareRoot() / 2
    return NoiseFixture.sensor(size.width, size.height, cfa, shot: shot, read: 1e-7) { x, y, c in
      var position = SIMD2(Double(x), Double(y))
      if let shift = shifts[c] {
        // Position p images q, where q + d(q) = p.
        let at = position
        for _ in 0..<3 {
          position =
            at - shift.displacement((position.x - middle.x) / unit, (position.y - middle.y) / unit)
        }
      }
      return leaves.value(Float(position.x), Float(position.y), c == 3 ? 1 : c)
    }
  }

  static func pipeline(_ data: SensorData) throws -> SensorPipeline {
    try SensorPipeline(data, balance: SIMD4(repeating: 1), settings: SensorSettings(defects: .kept))
  }

  /// Root mean square of the difference over the picture.
  private static func error(_ shift: LateralShift, _ truth: [Double]) -> Double {
    let difference = LateralShift(zip(shift.coefficients, truth).map { $0 - $1 })
    let unit = (Double(size.width * size.width + size.height * size.height)).squareRoot()
    var sum = 0.0
    for i in 0...20 {
      for j in 0...20 {
        let x = (Double(i) / 10 - 1) * Double(size.width) / unit
        let y = (Double(j) / 10 - 1) * Double(size.height) / unit
        let d = difference.displacement(x, y)
        sum += (d * d).sum()
      }
    }
    return (sum / 441).squareRoot()
  }

  @Test(arguments: patterns, truths)
  func isFoundToATenthOfAPixel(cfa: CFA, truth: Truth) throws {
    let pipeline = try Self.pipeline(Self.sensor(cfa, truth))
    let fit = try #require(try pipeline.lateralColor(aspect: 1))
    #expect(fit.red.isSignificant && fit.blue.isSignificant, "\(fit)")
    let errors = (Self.error(fit.red.shift, truth.red), Self.error(fit.blue.shift, truth.blue))
    #expect(max(errors.0, errors.1) <= 0.1, "\(errors)")
  }

  @Test(arguments: patterns, [Float(4e-5), 2e-3])
  func picturesWithoutHaveNone(cfa: CFA, shot: Float) throws {
    let pipeline = try Self.pipeline(Self.sensor(cfa, Self.none, shot: shot))
    let fit = try #require(try pipeline.lateralColor(aspect: 1))
    #expect(fit.color.isEmpty, "\(fit.red.amount) \(fit.blue.amount)")
  }

  @Test func threadsDoNotMatterAndGrayHasNone() throws {
    let pipeline = try Self.pipeline(Self.sensor(Self.patterns[0], Self.truths[0]))
    let (one, two) = (
      try pipeline.lateralColor(aspect: 1, workers: 1),
      try pipeline.lateralColor(aspect: 1, workers: 2)
    )
    #expect(one?.red == two?.red && one?.blue == two?.blue)
    let gray = CFA(width: 1, height: 1, channels: [0])
    let data = SensorFixture.sensor(64, 64, gray) { _, _, _ in 0.2 }
    #expect(try Self.pipeline(data).lateralColor(aspect: 1) == nil)
  }

  /// After the demosaic: red and blue are closer to an ideal lens by 3.5 dB and more, and green is
  /// bit-identical.
  @Test(arguments: patterns)
  func correctedPicturesAreThoseOfAGoodLens(cfa: CFA) throws {
    let truth = Self.truths[0]
    let (seen, good) = (
      try Self.pipeline(Self.sensor(cfa, truth)), try Self.pipeline(Self.sensor(cfa, Self.none))
    )
    let color = try #require(try seen.lateralColor(aspect: 1)).color
    let stage = LensStage(actions: [], frame: OpcodeFrame(size: Self.size))
    let corrected = stage.correcting(color).applied(to: seen, reduction: 1)
    func rendered(_ source: any PixelSource<CameraRGB>) throws -> Image<CameraRGB> {
      try Image(rendering: source, workers: 2)
    }
    let (before, after, wanted) = (try rendered(seen), try rendered(corrected), try rendered(good))
    func error(_ picture: Image<CameraRGB>, _ c: Int) -> Double {
      var sum = 0.0
      for y in 20..<Self.size.height - 20 {
        for x in 20..<Self.size.width - 20 {
          let d = picture[x, y][c].squareRoot() - wanted[x, y][c].squareRoot()
          if d.isFinite { sum += Double(d * d) }
        }
      }
      return sum
    }
    for c in [0, 2] {
      let gain = 10 * log10(error(before, c) / error(after, c))
      #expect(gain > 3.5, "channel \(c): \(gain) dB")
    }
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width where before[x, y].y != after[x, y].y {
        Issue.record("green changed at \(x), \(y)")
        return
      }
    }
    #expect(
      try NoiseFixture.differences(
        LateralSource(source: corrected), in: NoiseFixture.cuts(Self.size))
        == 0)
    #expect(stage.correcting(LateralColor(red: nil, blue: nil)).isEmpty)
  }

  private struct LateralSource: PixelSource {
    typealias State = CameraRGB
    let source: any PixelSource<CameraRGB>
    var size: PixelSize { source.size }
    var info: CameraRGB.Info { source.info }
    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try source.read(rect, into: buffer)
    }
  }

  /// With a warp of the file, a picture is resampled once: green by the warp, the others from the
  /// positions of their colors.
  @Test func aWarpTakesItIn() throws {
    let size = PixelSize(width: 300, height: 200)
    let frame = OpcodeFrame(size: size)
    let warp = LensWarp(
      planes: [LensWarp.Plane(radial: .even(SIMD4(0.98, 0.02, 0, 0)))], center: (x: 0.5, y: 0.5))
    let shift = LateralShift(Self.terms([0: 0.5, 2: 1.5, 6: -0.4]))
    let both = WarpField(
      warp.correcting(LateralColor(red: shift, blue: nil)), frame, size: size)
    let alone = WarpField(warp, frame, size: size)
    let unit = (Double(300 * 300 + 200 * 200)).squareRoot() / 2
    for (x, y) in [(0, 0), (150, 100), (299, 3), (40, 170)] {
      let plain = alone.displacement(x: x, y: y, set: 0)
      #expect(both.displacement(x: x, y: y, set: 1) == plain)
      #expect(both.displacement(x: x, y: y, set: 2) == plain)
      let at = SIMD2(Double(x) + plain.x - 149.5, Double(y) + plain.y - 99.5) / unit
      let wanted = plain + shift.displacement(at.x, at.y)
      let found = both.displacement(x: x, y: y, set: 0)
      #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
    }
    var sum = SIMD2<Double>()
    for k in 0..<LateralShift.termCount {
      sum += LateralShift.field(k, 0.3, -0.6) * shift.coefficients[k]
    }
    let full = shift.displacement(0.3, -0.6)
    #expect(abs(sum.x - full.x) < 1e-12 && abs(sum.y - full.y) < 1e-12)
  }
}
