import Foundation
import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

/// Scenes as a known lens would show them are restored.
@Suite struct LensProfileCorrectionTests {
  private typealias F = LensFixture
  private static let size = PixelSize(width: 600, height: 400)

  /// A lens by its published formulas, independent of the code under test: from a position in the
  /// scene to its position in the picture, in pixels from the center.
  private struct Simulated {
    var distortion: (Double) -> Double = { _ in 1 }
    /// Of red, green and blue.
    var lateral: [(Double) -> Double] = Array(repeating: { _ in 1 }, count: 3)
    var illumination: (Double) -> Double = { _ in 1 }

    /// Half the shorter side, from center to center.
    static let half = 399.0 / 2

    /// Radius in the picture, channel `c`, of what an ideal lens shows at radius `r`.
    func shown(_ r: Double, _ c: Int) -> Double {
      let ideal = r / Self.half * Self.aspect
      let distorted = ideal * distortion(ideal)
      return distorted * lateral[c](distorted) * Self.half / Self.aspect
    }

    /// The picture's sides are 599 : 399, the calibration's 3 : 2; radii are matched at the corner.
    static let aspect =
      (1.5 * 1.5 + 1).squareRoot() / ((599.0 / 399) * (599.0 / 399) + 1).squareRoot()

    /// Relative illumination at radius `r` of the picture.
    func transmitted(_ r: Double) -> Double {
      illumination(r / Self.half * Self.aspect / (1.5 * 1.5 + 1).squareRoot())
    }

    /// The inverse of ``shown``, found by halving.
    func scene(_ radius: Double, _ c: Int) -> Double {
      // Beyond the corner the formulas need not rise any more.
      var (low, high) = (0.0, 420.0)
      for _ in 0..<50 {
        let middle = (low + high) / 2
        if shown(middle, c) < radius { low = middle } else { high = middle }
      }
      return (low + high) / 2
    }
  }

  private static func simulated(_ calibration: [String]) -> Simulated {
    var lens = Simulated()
    for element in calibration {
      switch element {
      case F.poly3: lens.distortion = { 1 + 0.03 - 0.03 * $0 * $0 }
      case F.pincushion: lens.distortion = { 1 - 0.03 + 0.03 * $0 * $0 }
      case F.poly5: lens.distortion = { 1 + 0.02 * pow($0, 2) - 0.006 * pow($0, 4) }
      case F.ptLens:
        lens.distortion = { 0.012 * pow($0, 3) - 0.04 * $0 * $0 + 0.015 * $0 + 1.013 }
      case F.linear: lens.lateral = [{ _ in 1.0006 }, { _ in 1 }, { _ in 0.9991 }]
      case F.tca:
        lens.lateral = [
          { 1.0005 - 0.0002 * $0 + 0.0004 * $0 * $0 }, { _ in 1 },
          { 0.9992 + 0.0001 * $0 - 0.0003 * $0 * $0 },
        ]
      case F.vignetting:
        lens.illumination = { 1 - 0.5 * pow($0, 2) + 0.2 * pow($0, 4) - 0.1 * pow($0, 6) }
      default: break
      }
    }
    return lens
  }

  /// Dots on a grid over a gray ground, as `lens` shows them.
  private static func grid(_ lens: Simulated) throws -> Image<CameraRGB> {
    // Distances in the scene of each channel as a table over the radius in the picture.
    let tables = (0..<3).map { c in (0...800).map { lens.scene(Double($0) / 2, c) } }
    return try OpcodeFixture.image(size) { x, y, c in
      let (dx, dy) = (Double(x) - 299.5, Double(y) - 199.5)
      let r = (dx * dx + dy * dy).squareRoot()
      let position = r * 2
      let i = min(Int(position), 799)
      let table = tables[c]
      let scene = table[i] + (table[i + 1] - table[i]) * (position - Double(i))
      let factor = r > 0 ? scene / r : 1
      let (sx, sy) = (dx * factor, dy * factor)
      let (ox, oy) = (sx - (sx / 40).rounded() * 40, sy - (sy / 40).rounded() * 40)
      let dot = exp(-(ox * ox + oy * oy) / 8)
      return Float((0.2 + dot) * lens.transmitted(r))
    }
  }

  private static func corrected(
    _ image: Image<CameraRGB>, _ profile: LensProfile, workers: Int = 1
  ) throws -> Image<CameraRGB> {
    let stage = LensStage(
      actions: F.actions(profile, size), frame: OpcodeFrame(size: size))
    return try Image(rendering: stage.applied(to: image, reduction: 1), workers: workers)
  }

  private static func magnification(_ profile: LensProfile) -> Double {
    F.correction(profile, size).radials[0].magnification
  }

  /// The center of the dot next to (`x`, `y`), above the ground.
  private func dot(_ image: Image<CameraRGB>, _ c: Int, _ x: Double, _ y: Double) -> SIMD2<Double> {
    var (sum, weight) = (SIMD2<Double>(), 0.0)
    for j in Int(y) - 8...Int(y) + 8 {
      for i in Int(x) - 8...Int(x) + 8 {
        let value = max(Double(image[i, j][c]) - 0.21, 0)
        weight += value
        sum += SIMD2(Double(i), Double(j)) * value
      }
    }
    return sum / weight
  }

  @Test(arguments: [
    [F.poly3], [F.poly5, F.linear], [F.ptLens, F.tca], [F.pincushion, F.tca, F.vignetting],
    [F.ptLens, F.tca, F.vignetting], [F.tca], [F.vignetting],
  ])
  func gridComesBack(_ calibration: [String]) throws {
    let profile = try #require(try F.profile(F.Lens(calibration: calibration)))
    let out = try Self.corrected(Self.grid(Self.simulated(calibration)), profile)
    let magnification = Self.magnification(profile)
    var (squares, count) = (0.0, 0.0)
    for j in -4...4 {
      for i in -7...7 {
        let x = 299.5 + Double(i * 40) / magnification
        let y = 199.5 + Double(j * 40) / magnification
        guard x > 14, y > 14, x < 585, y < 385 else { continue }
        for c in 0..<3 {
          let error = dot(out, c, x, y) - SIMD2(x, y)
          squares += error.x * error.x + error.y * error.y
          count += 1
        }
      }
    }
    #expect(count >= 200)
    let rms = (squares / count).squareRoot()
    print("grid", calibration.count, "calibrations, rms", rms, "magnification", magnification)
    #expect(rms < 0.3)
    // Between the dots the ground is even up to the corners.
    let step = 40 / magnification
    for (i, j) in [(-6.5, -4.5), (6.5, 4.5), (-6.5, 4.5), (6.5, -4.5), (-6.5, 0.5)] {
      let (x, y) = (Int(299.5 + i * step), Int(199.5 + j * step))
      guard x >= 0, y >= 0, x < 600, y < 400 else { continue }
      for c in 0..<3 {
        let center = Int(299.5 + 0.5 * step)
        let ratio = out[x, y][c] / out[center, Int(199.5 + 0.5 * step)][c]
        #expect(abs(ratio - 1) < 0.01)
      }
    }
  }

  /// Not one pixel of the corrected picture comes from outside, and one does from the very edge.
  @Test(arguments: [[F.poly3], [F.pincushion], [F.ptLens, F.tca], [F.poly5, F.linear]])
  func fillsThePicture(_ calibration: [String]) throws {
    var lens = F.Lens(calibration: calibration)
    for center in [(0.0, 0.0), (0.03, -0.02)] {
      lens.center = center
      let profile = try #require(try F.profile(lens))
      var nearest = Double.infinity
      for case .warp(let warp) in F.actions(profile, Self.size) {
        let field = WarpField(warp, OpcodeFrame(size: Self.size), size: Self.size)
        for set in warp.planes.indices {
          for y in 0..<400 {
            for x in y % 399 == 0 ? Array(0..<600) : [0, 599] {
              let way = field.displacement(x: x, y: y, set: set)
              let (sx, sy) = (Double(x) + way.x, Double(y) + way.y)
              nearest = min(nearest, sx, sy, 599 - sx, 399 - sy)
            }
          }
        }
      }
      #expect(nearest > -0.01 && nearest < 0.05)
    }
  }

  @Test func neutralCalibrationsLeaveTheBits() throws {
    let neutral = F.Lens(calibration: [
      #"<distortion model="poly3" focal="20" k1="0"/>"#,
      #"<tca model="linear" focal="20" kr="1" kb="1"/>"#,
      #"<vignetting model="pa" focal="20" aperture="4" distance="10" k1="0" k2="0" k3="0"/>"#,
    ])
    #expect(try F.profile(neutral) == nil)
    // Lateral color alone does not change green.
    let profile = try #require(try F.profile(F.Lens(calibration: [F.linear])))
    let noise = try OpcodeFixture.image(Self.size) { x, y, c in SensorFixture.hash(x, y, c) }
    let out = try Self.corrected(noise, profile)
    var (green, red) = (0, 0)
    for y in 0..<400 {
      for x in 0..<600 {
        green += out[x, y].y == noise[x, y].y ? 0 : 1
        red += out[x, y].x == noise[x, y].x ? 0 : 1
      }
    }
    #expect(green == 0 && red > 100_000)
  }

  @Test func grayPicturesAreCorrectedAsGreen() throws {
    let profile = try #require(try F.profile(F.Lens(calibration: [F.ptLens, F.tca])))
    for case .warp(let warp) in F.actions(profile, Self.size, isGray: true) {
      #expect(warp.planes.count == 1)
    }
  }

  @Test func tilesAndThreadsMakeNoDifference() throws {
    let profile = try #require(
      try F.profile(F.Lens(calibration: [F.ptLens, F.tca, F.vignetting])))
    let size = PixelSize(width: 900, height: 600)
    let noise = try OpcodeFixture.image(size) { x, y, c in SensorFixture.hash(x, y, c) }
    let crop = PixelRect(x: 7, y: 5, width: 880, height: 590)
    let stage = LensStage(
      actions: F.actions(profile, size, crop: crop), frame: OpcodeFrame(size: size))
    let source = stage.applied(to: noise, reduction: 1)
    let full = try Image(rendering: source, bandHeight: 600, workers: 1)
    let bands = try Image(rendering: source, bandHeight: 41, workers: 4)
    var differing = 0
    for y in 0..<600 { for x in 0..<900 where full[x, y] != bands[x, y] { differing += 1 } }
    #expect(differing == 0)
    let buffer = PlanarBuffer()
    for rect in [
      PixelRect(x: 899, y: 599, width: 1, height: 1),
      PixelRect(x: 761, y: 250, width: 23, height: 9),
    ] {
      try source.read(rect, into: buffer)
      for y in 0..<rect.height {
        for x in 0..<rect.width { #expect(buffer.row(1, y)[x] == full[rect.x + x, rect.y + y].y) }
      }
    }
  }

  @Test func reducedPictureShowsTheSamePositions() throws {
    let profile = try #require(
      try F.profile(F.Lens(calibration: [F.ptLens, F.linear, F.vignetting])))
    let full = try OpcodeFixture.image(Self.size) { x, y, c in Float(c == 0 ? x : y) / 100 + 1 }
    let half = try OpcodeFixture.image(PixelSize(width: 300, height: 200)) { x, y, c in
      (Float(c == 0 ? x : y) * 2 + 0.5) / 100 + 1
    }
    let stage = LensStage(
      actions: F.actions(profile, Self.size), frame: OpcodeFrame(size: Self.size))
    let (a, b) = (
      try Image(rendering: stage.applied(to: full, reduction: 1), workers: 1),
      try Image(rendering: stage.applied(to: half, reduction: 2), workers: 1)
    )
    for y in 3..<197 {
      for x in 3..<297 {
        let mean = (a[2 * x, 2 * y] + a[2 * x + 1, 2 * y + 1]) * 0.5
        let difference = mean - b[x, y]
        #expect(max(abs(difference.x), abs(difference.y)) < 0.002)
      }
    }
  }
}
