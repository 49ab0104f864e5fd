import Foundation
import ImageCore
import RawTestSupport
import Synchronization
import SyntheticRaw
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct WarpSourceTests {
  private typealias B = OpcodeBytes
  private typealias F = OpcodeFixture
  private static let size = PixelSize(width: 90, height: 70)
  /// A picture whose channels hold the position: a warp of it shows where pixels came from.
  private static let positions = certain {
    try OpcodeFixture.image(size) { x, y, c in
      c == 0 ? Float(x) : c == 1 ? Float(y) : Float(x + y)
    }
  }
  private static let radius = (45.0 * 45 + 35 * 35).squareRoot()

  /// Compares sources with `expected`(Δx, Δy) from the center, inside the picture.
  private func check(
    _ opcode: [UInt8], _ expected: (Double, Double) -> (Double, Double)
  ) throws {
    let out = try F.rendered(try F.corrected(Self.positions, B.list(opcode)))
    var compared = 0
    for y in 0..<70 {
      for x in 0..<90 {
        let (dx, dy) = expected((Double(x) - 45) / Self.radius, (Double(y) - 35) / Self.radius)
        let (sx, sy) = (45 + dx * Self.radius, 35 + dy * Self.radius)
        guard sx > 1, sy > 1, sx < 87, sy < 67 else { continue }
        compared += 1
        #expect(abs(Double(out[x, y].x) - sx) < 0.01)
        #expect(abs(Double(out[x, y].y) - sy) < 0.01)
      }
    }
    #expect(compared > 2000)
  }

  @Test func rectilinear() throws {
    try check(B.rectilinear([[0.9, 0.12, -0.05, 0.02, 0.01, -0.02]])) { x, y in
      let r = x * x + y * y
      let f = 0.9 + 0.12 * r - 0.05 * r * r + 0.02 * r * r * r
      return (
        x * f + 0.01 * 2 * x * y - 0.02 * (r + 2 * x * x),
        y * f - 0.02 * 2 * x * y + 0.01 * (r + 2 * y * y)
      )
    }
  }

  @Test func fisheye() throws {
    try check(B.fisheye([1.1, 0.1, 0.02, -0.01])) { x, y in
      let r = (x * x + y * y).squareRoot()
      guard r > 0 else { return (0, 0) }
      let t = atan(r)
      let f = (1.1 * t + 0.1 * pow(t, 3) + 0.02 * pow(t, 5) - 0.01 * pow(t, 7)) / r
      return (x * f, y * f)
    }
  }

  /// Meaningless coefficients give sources far away, with any kind of factor.
  @Test(arguments: [Double.nan, .infinity, -1e300])
  func factorsWithoutMeaning(factor: Double) throws {
    let formula = LensWarp.Radial.even(SIMD4(factor, 0, 0, 0))
    let samples = LensWarp.Radial.sampled(
      Array(repeating: factor, count: LensWarp.Radial.samples + 2))
    for radial in [formula, samples] {
      let warp = LensWarp(planes: [LensWarp.Plane(radial: radial)], center: (x: 0.5, y: 0.5))
      let field = WarpField(warp, OpcodeFrame(size: Self.size), size: Self.size)
      for (x, y) in [(0, 0), (44, 34), (89, 69)] {
        let offset = field.displacement(x: x, y: y, set: 0)
        #expect(max(abs(offset.x), abs(offset.y)) <= WarpField.farthest)
      }
    }
  }

  @Test func rectilinear2() throws {
    let f = { (x: Double, y: Double) in
      let r = min(max((x * x + y * y).squareRoot(), 0.2), 0.7)
      return 1.05 - 0.2 * r + 0.1 * r * r * r
    }
    let powers = [1.05, -0.2, 0, 0.1]
    try check(B.rectilinear2(powers, range: (0.2, 0.7))) { x, y in (x * f(x, y), y * f(x, y)) }
    try check(B.rectilinear2(powers, range: (0.2, 0.7), reciprocal: 1)) { x, y in
      (x / f(x, y), y / f(x, y))
    }
  }

  @Test func planesOfTheirOwn() throws {
    let opcode = B.rectilinear([
      [1.02, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0.98, 0, 0, 0, 0, 0],
    ])
    let out = try F.rendered(try F.corrected(Self.positions, B.list(opcode)))
    #expect(abs(out[60, 30].x - (45 + 15 * 1.02)) < 0.01)
    // Identity coefficients do not change the bits of their plane.
    for y in 0..<70 {
      for x in 0..<90 { #expect(out[x, y].y == Self.positions[x, y].y) }
    }
    #expect(abs(out[60, 30].z - (45 + 15 * 0.98 + 35 - 5 * 0.98)) < 0.01)
  }

  @Test func squarePixelsAreMadeFirst() throws {
    let source = try F.image(Self.size) { x, y, c in c == 0 ? Float(x) : Float(y) }
    let warp = try LensWarp.read(B.rectilinear([[0.9, 0.1, 0, 0, 0, 0]]))
    let frame = OpcodeFrame(size: Self.size, pixelAspect: 2)
    let out = try F.rendered(
      LensStage(actions: [.warp(warp)], frame: frame).applied(to: source, reduction: 1))
    let r = (15.0 * 15 + 5 * 5) / (45.0 * 45 + 17.5 * 17.5)
    #expect(abs(Double(out[60, 45].x) - (45 + 15 * (0.9 + 0.1 * r))) < 0.01)
    #expect(abs(Double(out[60, 45].y) - (35 + 10 * (0.9 + 0.1 * r))) < 0.01)
  }

  @Test func reducedPictureShowsTheSamePositions() throws {
    let opcode = B.list(B.rectilinear([[0.9, 0.12, 0, 0, 0, 0]]))
    let full = try F.rendered(try F.corrected(Self.positions, opcode))
    let half = try F.image(PixelSize(width: 45, height: 35)) { x, y, c in
      c == 0 ? 2 * Float(x) + 0.5 : 2 * Float(y) + 0.5
    }
    let reduced = try F.rendered(try F.corrected(half, opcode, reduction: 2))
    for y in 3..<32 {
      for x in 3..<42 {
        let mean = (full[2 * x, 2 * y] + full[2 * x + 1, 2 * y + 1]) * 0.5
        #expect(abs(mean.x - reduced[x, y].x) < 0.02)
        #expect(abs(mean.y - reduced[x, y].y) < 0.02)
      }
    }
  }

  @Test func rectanglesMakeNoDifference() throws {
    let size = PixelSize(width: 900, height: 300)
    let noise = try F.image(size) { x, y, c in SensorFixture.hash(x, y, c) }
    let list = B.list(
      B.rectilinear([
        [1.2, -0.3, 0, 0, 0.01, 0], [1.19, -0.3, 0, 0, 0.01, 0], [1.18, -0.28, 0, 0, 0, 0],
      ]),
      B.vignette([0.4, 0, 0, 0, 0]), B.fisheye([1, 0.05, 0, 0]))
    let source = try F.corrected(noise, list)
    let full = try Image(rendering: source, bandHeight: 300, workers: 1)
    let bands = try Image(rendering: source, bandHeight: 37, workers: 4)
    let buffer = PlanarBuffer()
    for rect in [
      PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 761, y: 250, width: 23, height: 9),
      PixelRect(x: 333, y: 7, width: 500, height: 3),
      PixelRect(x: 899, y: 299, width: 1, height: 1),
    ] {
      try source.read(rect, into: buffer)
      for y in 0..<rect.height {
        for x in 0..<rect.width {
          #expect(buffer.row(0, y)[x] == full[rect.x + x, rect.y + y].x)
          #expect(buffer.row(2, y)[x] == full[rect.x + x, rect.y + y].z)
        }
      }
    }
    var differing = 0
    for y in 0..<300 {
      for x in 0..<900 where bands[x, y] != full[x, y] { differing += 1 }
    }
    #expect(differing == 0)
  }

  @Test func wholePixelsComeThroughBitForBit() throws {
    // Twice the distance from a center on a pixel: every source is a pixel, or beyond the edge.
    let noise = try F.image(PixelSize(width: 40, height: 40)) { x, y, c in
      SensorFixture.hash(x, y, c)
    }
    let out = try F.rendered(
      try F.corrected(noise, B.list(B.rectilinear([[2, 0, 0, 0, 0, 0]]))))
    for y in 0..<40 {
      for x in 0..<40 {
        let (sx, sy) = (min(max(2 * x - 20, 0), 39), min(max(2 * y - 20, 0), 39))
        #expect(out[x, y] == noise[sx, sy])
      }
    }
  }

  /// Each tile lies across the picture from its sources: nothing between them is read.
  @Test(arguments: [64, 37]) func halfTurnsReadThePictureOnce(bandHeight: Int) throws {
    let size = PixelSize(width: 200, height: 1024)
    let noise = try F.image(size) { x, y, c in SensorFixture.hash(x, y, c) }
    let turn = B.rectilinear([[-1, 0, 0, 0, 0, 0]])
    let lists = try F.lists([], [], B.list(turn, turn, turn), size: size)
    let counted = CountedSource(image: noise)
    let source = LensStage(
      actions: lists.actions(.lens, OpcodeSelection()), frame: lists.frame(.lens)
    ).applied(to: counted, reduction: 1)
    let out = try Image(rendering: source, bandHeight: bandHeight, workers: 1)
    let pixels = counted.count.pixels.withLock { $0 }
    #expect(pixels < 4 * size.area, "\(Double(pixels) / Double(size.area)) pictures")
    for y in 1..<size.height {
      for x in 1..<size.width {
        let difference = out[x, y] - noise[size.width - x, size.height - y]
        for c in 0..<3 where abs(difference[c]) > 0.01 {
          Issue.record("(\(x), \(y)) is off by \(difference[c])")
        }
      }
    }
  }

  @Test func distortedDotsComeBack() throws {
    // Dots on a grid as a lens with r' = r(1 − 0.08r²) shows them; the file says where each is.
    let size = PixelSize(width: 160, height: 120)
    let radius = 100.0
    let dots = stride(from: 24.0, to: 140, by: 14).flatMap { x in
      stride(from: 24.0, to: 100, by: 14).map { (x: x, y: $0) }
    }
    let shown = dots.map { dot in
      let (dx, dy) = ((dot.x - 80) / radius, (dot.y - 60) / radius)
      let f = 1 - 0.08 * (dx * dx + dy * dy)
      return (x: 80 + dx * f * radius, y: 60 + dy * f * radius)
    }
    let image = try F.image(size) { x, y, _ in
      var sum = 0.0
      for dot in shown where abs(dot.x - Double(x)) < 7 && abs(dot.y - Double(y)) < 7 {
        let (dx, dy) = (Double(x) - dot.x, Double(y) - dot.y)
        sum += exp(-(dx * dx + dy * dy) / 6)
      }
      return Float(sum)
    }
    let out = try F.rendered(
      try F.corrected(image, B.list(B.rectilinear([[1, -0.08, 0, 0, 0, 0]]))))
    for dot in dots {
      var (sum, sumX, sumY) = (0.0, 0.0, 0.0)
      for y in Int(dot.y) - 6...Int(dot.y) + 6 {
        for x in Int(dot.x) - 6...Int(dot.x) + 6 {
          let v = Double(out[x, y].x)
          (sum, sumX, sumY) = (sum + v, sumX + v * Double(x), sumY + v * Double(y))
        }
      }
      #expect(abs(sumX / sum - dot.x) < 0.1 && abs(sumY / sum - dot.y) < 0.1)
    }
  }

  @Test func sourcesFarOutsideAreTheEdge() throws {
    let out = try F.rendered(
      try F.corrected(Self.positions, B.list(B.rectilinear([[1000, 0, 0, 0, 0, 0]]))))
    #expect(out[0, 0] == SIMD3(0, 0, 0))
    #expect(out[89, 69] == SIMD3(89, 69, 158))
  }
}

/// A picture that counts what is read of it.
struct CountedSource: PixelSource {
  typealias State = CameraRGB

  final class Count: Sendable {
    let pixels = Mutex(0)
  }

  let image: Image<CameraRGB>
  let count = Count()

  var size: PixelSize { image.size }
  var info: CameraRGB.Info { image.info }

  func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
    count.pixels.withLock { $0 += rect.size.area }
    try image.read(rect, into: buffer)
  }
}

extension LensWarp {
  /// The warp that a WarpRectilinear of bytes describes.
  static func read(_ opcode: [UInt8]) throws -> LensWarp {
    var reader = OpcodeReader(opcode[16...])
    return try LensWarp(rectilinear: &reader)
  }
}
