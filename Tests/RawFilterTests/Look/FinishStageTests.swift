import Foundation
import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct FinishStageTests {
  static let flat = certain { try DetailFixture.gray(240, 160) { _, _ in 0.18 } }

  static func finished(
    _ source: Image<SceneLinear>, frame: PictureFrame = PictureFrame(),
    _ change: (inout LookSettings) -> Void
  ) throws -> Image<SceneLinear> {
    var look = LookSettings()
    change(&look)
    return try DetailFixture.read(FinishStage(look, frame: frame).applied(to: source))
  }

  /// A flat picture with headroom, so that nothing is limited.
  static func wide(_ width: Int, _ height: Int) throws -> Image<SceneLinear> {
    let size = PixelSize(width: width, height: height)
    return try Image(size: size, info: .init(peak: 100)) { planes in
      for plane in 0..<3 {
        for y in 0..<height { planes.row(plane, y).update(repeating: 0.18, count: width) }
      }
    }
  }

  static func stops(_ image: Image<SceneLinear>, _ x: Int, _ y: Int) -> Double {
    log2(Double(image[x, y].y) / 0.18)
  }

  @Test func neutralReturnsTheSourceItself() throws {
    var look = LookSettings()
    (look.vignette.midpoint, look.grain.size) = (1, 1)
    let stage = FinishStage(look, frame: .turned(3)).applied(to: Self.flat)
    #expect(stage is Image<SceneLinear>)
  }

  @Test func isTheSameHoweverItIsCut() throws {
    var look = LookSettings()
    (look.vignette.amount, look.vignette.roundness, look.grain.amount) = (-1, -0.5, 1)
    let frame = PictureFrame.turned(5, crop: [0.1, 0.2, 0.8, 0.9])
    let stage = FinishStage(look, frame: frame).applied(to: DetailFixture.busy)
    #expect(try DetailFixture.cutDependence(stage) == 0)
    #expect(
      try DetailFixture.chromaticityError(DetailFixture.read(stage), DetailFixture.busy) < 1e-5)
  }

  // MARK: Vignette

  @Test func cornersFollowTheAmount() throws {
    let source = try Self.wide(241, 161)
    let corners = try [-1, -0.5, 0.5, 1].map { amount in
      let image = try Self.finished(source) { $0.vignette.amount = Float(amount) }
      #expect(abs(Self.stops(image, 120, 80)) < 1e-5)
      // The same at all four corners.
      for (x, y) in [(240, 0), (0, 160), (240, 160)] {
        #expect(abs(Self.stops(image, x, y) - Self.stops(image, 0, 0)) < 1e-4)
      }
      // Monotone from the center out.
      let sign = amount < 0 ? -1.0 : 1
      let ray = (0...80).map { sign * Self.stops(image, 120 + $0 * 3 / 2, 80 - $0) }
      #expect(zip(ray, ray.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
      return Self.stops(image, 0, 0)
    }
    #expect(zip(corners, corners.dropFirst()).allSatisfy { $0 < $1 })
    #expect(abs(corners[0] + 2) < 0.1 && abs(corners[3] - 2) < 0.1)
  }

  /// The corners get the full amount at any midpoint, the inside is unchanged, and it begins
  /// farther out all the way.
  @Test func theMidpointMovesTheBeginning() throws {
    let source = try Self.wide(241, 161)
    let images = try [0, 0.25, 0.5, 0.75, 1].map { midpoint in
      try Self.finished(source) {
        ($0.vignette.amount, $0.vignette.midpoint) = (-1, Float(midpoint))
      }
    }
    for (image, next) in zip(images, images.dropFirst()) {
      #expect(abs(Self.stops(image, 0, 0) + 2) < 0.1 && abs(Self.stops(next, 0, 0) + 2) < 0.1)
      // Half way to a corner, and three quarters.
      for (x, y) in [(60, 40), (30, 20)] {
        #expect(Self.stops(image, x, y) <= Self.stops(next, x, y))
      }
    }
    #expect(Self.stops(images[2], 24, 16) < Self.stops(images[4], 24, 16) - 0.3)
    #expect(Self.stops(images[4], 60, 40) == Self.stops(source, 60, 40))
  }

  @Test func shapesDiffer() throws {
    func edges(_ roundness: Float) throws -> (side: Double, top: Double) {
      let image = try Self.finished(Self.wide(301, 101)) {
        ($0.vignette.amount, $0.vignette.roundness, $0.vignette.midpoint) = (-1, roundness, 0.3)
      }
      return (Self.stops(image, 0, 50), Self.stops(image, 150, 0))
    }
    let (ellipse, circle) = (try edges(0), try edges(1))
    #expect(abs(ellipse.side - ellipse.top) < 0.02)
    #expect(circle.side < circle.top - 0.5)
    #expect(try edges(-1).side < ellipse.side)
  }

  @Test func theVignetteIsThatOfTheCrop() throws {
    let size = PixelSize(width: 400, height: 300)
    let crop = [0.25, 0.2, 0.75, 0.7]
    let whole = try Self.finished(Self.wide(200, 150)) { $0.vignette.amount = -1 }
    let part = try Self.finished(
      Self.wide(size.width, size.height), frame: .turned(0, crop: crop)
    ) { $0.vignette.amount = -1 }
    for (x, y) in [(0, 0), (199, 0), (40, 120), (100, 75)] {
      #expect(abs(Self.stops(whole, x, y) - Self.stops(part, x + 100, y + 60)) < 1e-3)
    }
    // A turned frame: its corners are as dark as a level frame's.
    let frame = PictureFrame.turned(10, crop: crop)
    let turned = try Self.finished(Self.wide(size.width, size.height), frame: frame) {
      $0.vignette.amount = -1
    }
    let (center, half, _) = frame.box(in: size)
    let (c, s) = (cos(10 * Double.pi / 180), sin(10 * Double.pi / 180))
    let (u, v) = (-half.x * 0.99, -half.y * 0.99)
    let (x, y) = (center.x + c * u + s * v, center.y - s * u + c * v)
    #expect(abs(Self.stops(turned, Int(x), Int(y)) - Self.stops(whole, 1, 1)) < 0.05)
  }

  // MARK: Grain

  /// Mean and standard deviation in stops.
  static func spread(_ image: Image<SceneLinear>) -> (mean: Double, deviation: Double) {
    let all = (0..<image.size.area).map {
      stops(image, $0 % image.size.width, $0 / image.size.width)
    }
    let mean = all.reduce(0, +) / Double(all.count)
    return (
      mean,
      (all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(all.count)).squareRoot()
    )
  }

  @Test func grainFollowsTheAmount() throws {
    let source = try Self.wide(400, 300)
    let spreads = try [0.25, 0.5, 1].map { amount in
      Self.spread(
        try Self.finished(source) { ($0.grain.amount, $0.grain.size) = (Float(amount), 1) })
    }
    #expect(spreads.allSatisfy { abs($0.mean) < 0.02 })
    for (spread, other) in zip(spreads, spreads.dropFirst()) {
      #expect(abs(other.deviation / spread.deviation - 2) < 0.05)
    }
  }

  @Test func seedsDifferAndRepeat() throws {
    func picture(_ seed: Float) throws -> Image<SceneLinear> {
      try Self.finished(Self.wide(300, 200)) {
        ($0.grain.amount, $0.grain.seed) = (1, seed)
      }
    }
    #expect(DetailFixture.differences(try picture(1), try picture(1)) == 0)
    #expect(DetailFixture.differences(try picture(1), try picture(2)) > 50_000)
  }

  /// The same grain in a picture of half the size, where cells are larger than its pixels.
  @Test func grainDoesNotDependOnTheSize() throws {
    func picture(_ width: Int, _ height: Int) throws -> Image<SceneLinear> {
      try Self.finished(Self.wide(width, height)) {
        ($0.grain.amount, $0.grain.size, $0.grain.roughness) = (1, 1, 0)
      }
    }
    let (large, small) = (try picture(4000, 100), try picture(2000, 50))
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    for x in 0..<2000 {
      let mean = (0..<4).reduce(0.0) { $0 + Self.stops(large, 2 * x + $1 % 2, 50 + $1 / 2) } / 4
      let own = Self.stops(small, x, 25)
      sum += (mean - own) * (mean - own)
      squares += own * own
      count += 1
    }
    #expect((sum / squares).squareRoot() < 0.35, "\((sum / squares).squareRoot())")
    // No lattice shows: rows and columns have no mean of their own.
    let plain = try Self.finished(Self.wide(400, 400)) { $0.grain.amount = 1 }
    let deviation = Self.spread(plain).deviation
    for x in stride(from: 0, to: 400, by: 7) {
      let column = (0..<400).reduce(0.0) { $0 + Self.stops(plain, x, $1) } / 400
      let row = (0..<400).reduce(0.0) { $0 + Self.stops(plain, $1, x) } / 400
      #expect(max(abs(column), abs(row)) < 6 * deviation / 20)
    }
  }

  @Test func nothingExceedsThePeak() throws {
    let image = try Self.finished(DetailFixture.busy) {
      ($0.vignette.amount, $0.vignette.midpoint, $0.grain.amount) = (1, 0, 1)
    }
    #expect(try image.lightStatistics().contentHeadroom <= DetailFixture.busy.info.peak)
    #expect(DetailFixture.isFinite(image))
  }
}
