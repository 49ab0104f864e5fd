import ImageCore
import SyntheticRaw
import Testing

@testable import Charts

@Suite("Chart finder")
struct ChartFinderTests {
  /// A chart in a scene: the position of patch (column, row), its surroundings, and the
  /// illumination.
  private struct Scene {
    var size = PixelSize(width: 900, height: 640)
    var center = SIMD2(450.0, 320.0)
    var pitch = 60.0
    var turn = 0.0
    var perspective = SIMD2(0.0, 0.0)
    var hasClutter = true
    var hasChart = true
    var isMirrored = false
    var noise: Float = 0.004
    var gain: Float = 0.7
    /// Relative change of the illumination from left to right.
    var slope: Float = 0

    /// Chart coordinates to pixels.
    func position(_ cell: SIMD2<Double>) -> SIMD2<Double> {
      let (dx, dy) = (cell.x - 2.5, cell.y - 1.5)
      let (c, s) = (cosine(turn), sine(turn))
      let w = 1 + perspective.x * dx + perspective.y * dy
      var p = SIMD2(c * dx - s * dy, s * dx + c * dy) * pitch / w
      if isMirrored { p.x = -p.x }
      return center + p
    }

    func picture() throws -> ChartPicture {
      let corners = [(0.0, 0.0), (5, 0), (5, 3), (0, 3)].map { position(SIMD2($0.0, $0.1)) }
      let map = try #require(ChartPlacement(corners: corners))
      let balance = SIMD3<Double>(0.85, 1, 0.8)
      let colors = ColorChecker.after2014.xyz.map {
        let camera = Matrix3([0.8, -0.2, -0.1, -0.4, 1.25, 0.15, -0.05, 0.15, 0.65]) * $0
        return SIMD3<Float>(camera * balance)
      }
      var pixels = [SIMD3<Float>](repeating: SIMD3(0.3, 0.27, 0.2), count: size.area)
      if hasClutter {
        for i in 0..<90 {
          func draw(_ k: Int, _ range: Int) -> Int {
            Int(IntegerNoise.bits(UInt64(8 * i + k), seed: 3) >> 33) % range
          }
          let color =
            SIMD3<Float>(
              Float(draw(4, 90) + 3), Float(draw(5, 90) + 3), Float(draw(6, 90) + 3)) / 100
          let (left, top) = (draw(0, size.width), draw(1, size.height))
          for y in top..<min(top + 8 + draw(3, 90), size.height) {
            for x in left..<min(left + 8 + draw(2, 90), size.width) {
              pixels[y * size.width + x] = color
            }
          }
        }
      }
      for y in 0..<size.height {
        for x in 0..<size.width {
          let i = y * size.width + x
          if hasChart {
            let mean = (0..<4).reduce(SIMD3<Float>()) { sum, k in
              let p = SIMD2(
                Double(x) + 0.25 + 0.5 * Double(k % 2), Double(y) + 0.25 + 0.5 * Double(k / 2))
              return sum + (color(at: map.cell(at: p), colors) ?? pixels[i])
            }
            pixels[i] = mean / 4
          }
          pixels[i] *= gain * (1 + slope * (Float(x) / Float(size.width) - 0.5))
          for c in 0..<3 {
            pixels[i][c] +=
              noise * max(pixels[i][c], 0.01).squareRoot()
              * IntegerNoise.normal(UInt64(3 * i + c), seed: 9)
          }
        }
      }
      return try #require(
        ChartPicture(size: size, pixels: pixels, saturation: SIMD3(repeating: 1)))
    }

    private func color(at cell: SIMD2<Double>?, _ colors: [SIMD3<Float>]) -> SIMD3<Float>? {
      guard let cell, cell.x > -0.8, cell.x < 5.8, cell.y > -0.9, cell.y < 3.9 else { return nil }
      let (column, row) = (cell.x.rounded(), cell.y.rounded())
      guard (0...5).contains(column), (0...3).contains(row), abs(cell.x - column) < 0.43,
        abs(cell.y - row) < 0.43
      else { return SIMD3(repeating: 0.035) }
      return colors[Int(row) * 6 + Int(column)]
    }
  }

  private func expectFound(_ scene: Scene) throws {
    let placement = try ChartFinder.placement(in: scene.picture())
    for index in 0..<24 {
      let truth = scene.position(SIMD2(Double(index % 6), Double(index / 6)))
      let away = placement.center(of: index) - truth
      #expect((away * away).sum().squareRoot() < 0.12 * scene.pitch, "patch \(index)")
    }
  }

  @Test("finds the chart however it is turned", arguments: [0.0, 17, 45, 90, 133, 180, 251, 300])
  func turned(degrees: Double) throws {
    var scene = Scene()
    scene.turn = degrees
    try expectFound(scene)
  }

  @Test("finds it in perspective", arguments: [SIMD2(0.08, 0), SIMD2(0, 0.1), SIMD2(-0.07, 0.06)])
  func perspective(slope: SIMD2<Double>) throws {
    var scene = Scene()
    scene.turn = 12
    scene.perspective = slope
    try expectFound(scene)
  }

  @Test("finds it small in a large scene, noisy, or in uneven light")
  func difficult() throws {
    var scene = Scene()
    scene.pitch = 20
    scene.center = SIMD2(220, 470)
    scene.turn = -65
    try expectFound(scene)
    scene = Scene()
    scene.noise = 0.03
    scene.turn = 8
    try expectFound(scene)
    scene = Scene()
    scene.slope = 0.5
    try expectFound(scene)
  }

  @Test("refuses scenes without a chart, and a chart in a mirror")
  func refusal() throws {
    var scene = Scene()
    scene.hasChart = false
    let without = try scene.picture()
    #expect(throws: ChartFinder.Refusal.self) { try ChartFinder.placement(in: without) }
    scene = Scene()
    scene.isMirrored = true
    let mirrored = try scene.picture()
    #expect(throws: ChartFinder.Refusal.self) { try ChartFinder.placement(in: mirrored) }
    let empty = try #require(
      ChartPicture(
        size: PixelSize(width: 3, height: 2), pixels: [SIMD3<Float>](repeating: SIMD3(), count: 6),
        saturation: SIMD3(repeating: 1)))
    #expect(throws: ChartFinder.Refusal.noGrid) { try ChartFinder.placement(in: empty) }
  }

  @Test("reads the patches, and refuses clipped and unevenly lit ones")
  func reading() throws {
    var scene = Scene()
    scene.turn = 30
    var picture = try scene.picture()
    var placement = try ChartFinder.placement(in: picture)
    let reading = try ChartReading(placement, in: picture, reference: .after2014)
    #expect(reading.neutralUnevenness < 1.02)
    let border = try #require(reading.borderUnevenness)
    #expect(border < 1.05)
    let patches = CameraMatrixFit.patches(reading.values, .after2014)
    let fit = try #require(CameraMatrixFit(patches))
    let mean = patches.map { fit.difference($0).value }.reduce(0, +) / 24
    #expect(mean < 0.2)

    scene.gain = 1.4
    picture = try scene.picture()
    placement = try ChartFinder.placement(in: picture)
    let clipped = try #require(throws: ChartReading.Refusal.self) {
      try ChartReading(placement, in: picture, reference: .after2014)
    }
    guard case .clipped(let names) = clipped else {
      Issue.record("\(clipped)")
      return
    }
    #expect(names.contains("white"))

    scene = Scene()
    scene.slope = 1.9
    picture = try scene.picture()
    placement = try #require(
      ChartPlacement(
        corners: [(0.0, 0.0), (5, 0), (5, 3), (0, 3)].map { scene.position(SIMD2($0.0, $0.1)) }))
    let uneven = try #require(throws: ChartReading.Refusal.self) {
      try ChartReading(placement, in: picture, reference: .after2014)
    }
    guard case .uneven(_, let ratio) = uneven else {
      Issue.record("\(uneven)")
      return
    }
    // From 1 − 0.317 to 1 + 0.317: 150 pixels of 900 to each side. A plane of the logarithm is a
    // little steeper than the illumination itself.
    #expect(abs((ratio ?? 0) - 1.93) < 0.15)
  }

  @Test("takes corners in order only")
  func corners() {
    let square = [SIMD2(0.0, 0), SIMD2(100, 0), SIMD2(100, 60), SIMD2(0, 60)]
    #expect(ChartPlacement(corners: square) != nil)
    #expect(ChartPlacement(corners: [square[0], square[2], square[1], square[3]]) == nil)
    #expect(ChartPlacement(corners: Array(square.prefix(3))) == nil)
    #expect(ChartPlacement(corners: [SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2), SIMD2(3, 3)]) == nil)
  }
}
