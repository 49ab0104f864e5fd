import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SensorPipelineTests {
  static let patterns: [CFA] =
    SensorFixture.bayers + [
      SensorFixture.xTrans(), SensorFixture.xTrans(x: 4, y: 1),
      CFA(width: 2, height: 2, channels: [0, 1, 3, 2]),
      CFA(width: 4, height: 4, channels: [0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2]),
    ]

  /// Fujifilm's pattern with a fourth color in place of a blue.
  static let almostXTrans: CFA = {
    var channels = SensorFixture.xTrans().channels
    for i in channels.indices.filter({ channels[$0] == 2 }).prefix(1) { channels[i] = 3 }
    return CFA(width: 6, height: 6, channels: channels)
  }()

  @Test func patternsAreKnownByAllTheirFilters() throws {
    #expect(SensorFixture.xTrans(x: 4, y: 1).kind == .xTrans)
    #expect(Self.almostXTrans.kind == .other)
    // Superpixels of a uniform field in four colors.
    let data = SensorFixture.sensor(817, 290, Self.almostXTrans) { _, _, c in Float(c + 1) / 8 }
    let reduced = try SensorFixture.picture(data, SensorSettings(resolution: .reduced))
    #expect(reduced.size.width >= 16 && reduced.size.height >= 1)
    let color = SIMD3<Float>(reduced[5, 0])
    #expect((0..<reduced.size.width).allSatisfy { reduced[$0, 0] == color } && color.min() > 0)
    let twoBlues = SensorFixture.xTrans().channels.map { $0 == 2 ? UInt8(3) : $0 }
    #expect(CFA(width: 6, height: 6, channels: twoBlues).kind == .other)
  }

  /// A pattern that lacks a color is refused.
  @Test(arguments: [[2, 2, 2, 2], [0, 1, 1, 0], [0, 3, 3, 0], [1, 3, 3, 1]] as [[UInt8]])
  func patternsThatLackAColorAreRefused(channels: [UInt8]) {
    let cfa = CFA(width: 2, height: 2, channels: channels)
    let data = SensorFixture.sensor(32, 32, cfa) { SensorFixture.busy($0, $1, $2) }
    let error = #expect(throws: RAWError.self) {
      try SensorPipeline(data, balance: SIMD4(repeating: 1), settings: SensorSettings())
    }
    #expect(error?.code == .unsupported && error?.message.contains("lacks a color") == true)
  }

  /// A row of filters needs blocks as high as it is wide, which must fit into the picture.
  @Test func picturesSmallerThanABlockOfAllColorsAreRefused() throws {
    let cfa = CFA(width: 3, height: 1, channels: [0, 1, 2])
    for (height, isRead) in [(2, false), (3, true)] {
      let data = SensorFixture.sensor(4, height, cfa) { SensorFixture.busy($0, $1, $2) }
      func made() throws -> SensorPipeline {
        try SensorPipeline(data, balance: SIMD4(repeating: 1), settings: SensorSettings())
      }
      if isRead {
        #expect(try made().proxy(reduction: 3).size.area == 1)
      } else {
        let error = #expect(throws: RAWError.self) { try made() }
        #expect(error?.code == .damaged && error?.message.contains("3x3") == true)
      }
    }
  }

  static let settings = [
    SensorSettings(), SensorSettings(highlights: .clipped),
    SensorSettings(method: .best), SensorSettings(resolution: .reduced),
  ]

  @Test(arguments: patterns, settings)
  func anyRectangleHoldsTheSamePixels(cfa: CFA, settings: SensorSettings) throws {
    let data = SensorFixture.sensor(817, 290, cfa) { SensorFixture.busy($0, $1, $2) }
    let pipeline = try SensorPipeline(
      data, balance: SIMD4(1.9, 1, 1.4, 1.2), settings: settings, workers: 2)
    let alone = try SensorPipeline(
      data, balance: SIMD4(1.9, 1, 1.4, 1.2), settings: settings, workers: 1)
    let full = try PlanarBuffer(size: pipeline.size)
    try pipeline.read(PixelRect(pipeline.size), into: full)
    let (w, h) = (pipeline.size.width, pipeline.size.height)
    let rects = [
      PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 3, y: 5, width: 37, height: 21),
      PixelRect(x: w - 30, y: h - 11, width: 30, height: 11),
      PixelRect(x: 101, y: 0, width: w - 101, height: h),
      PixelRect(x: 0, y: 61, width: w, height: 7),
    ]
    let part = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    for rect in rects {
      try alone.read(rect, into: part)
      #expect(part.size == rect.size)
      var differences = 0
      for c in 0..<3 {
        for y in 0..<rect.height {
          let (a, b) = (part.row(c, y), full.row(c, y + rect.y).from(rect.x))
          for x in 0..<rect.width where a[x].bitPattern != b[x].bitPattern { differences += 1 }
        }
      }
      #expect(differences == 0, "\(rect)")
    }
  }

  private static let model = NoiseModel(
    shot: SIMD3(repeating: 2e-3), read: SIMD3(repeating: 1e-4), saturation: SIMD3(repeating: 1))

  /// Rows reused from the rectangle above change nothing, with any heights, with defects in all
  /// rows near their cuts and with saturated patches; nor does a rectangle that is read once more.
  @Test(
    arguments: SensorFixture.bayers,
    [
      SensorSettings(defects: .byNoise(model)),
      SensorSettings(highlights: .guided, defects: .byNoise(model), method: .best),
      SensorSettings(highlights: .clipped, method: .dual, noise: model),
      SensorSettings(highlights: .kept, defects: .kept),
    ])
  func aLaneHoldsTheSamePixels(cfa: CFA, settings: SensorSettings) throws {
    let data = SensorFixture.sensor(411, 171, cfa) { x, y, c in
      (x * 7 + y * 13) % 97 == 0 ? 0.9 : SensorFixture.busy(x, y, c)
    }
    let plain = try SensorPipeline(data, balance: SIMD4(1.9, 1, 1.4, 1), settings: settings)
    let color = LateralColor(
      red: LateralShift(LateralColorFitTests.truths[0].red),
      blue: LateralShift(LateralColorFitTests.truths[0].blue))
    for pipeline in [plain, plain.correcting(color)] {
      for heights in [[1], [5, 32, 2], [64, 31], [166, 5]] {
        for columns in [0..<411, 3..<200] {
          #expect(
            try NoiseFixture.differences(pipeline, inLaneOf: heights, columns) == 0,
            "\(heights) \(columns)")
        }
      }
      let (rect, lane) = (PixelRect(x: 16, y: 40, width: 300, height: 50), ReadingLane())
      let twice = try (0..<2).map { _ in try PlanarBuffer(size: rect.size) }
      for buffer in twice { try lane.read(rect, of: pipeline, into: buffer) }
      let once = try PlanarBuffer(size: rect.size)
      try pipeline.read(rect, into: once)
      for buffer in twice {
        for c in 0..<3 {
          for y in 0..<rect.height {
            let (a, b) = (buffer.row(c, y), once.row(c, y))
            #expect((0..<rect.width).allSatisfy { a[$0].bitPattern == b[$0].bitPattern })
          }
        }
      }
    }
  }

  /// A lane that reads a picture, then the same with other settings, does not mix rows.
  @Test func aLaneKeepsNothingForOtherSettings() throws {
    let data = SensorFixture.sensor(120, 90, SensorFixture.bayers[0]) {
      SensorFixture.busy($0, $1, $2)
    }
    let pipeline = try SensorPipeline(
      data, balance: SIMD4(1.9, 1, 1.4, 1), settings: SensorSettings())
    let best = pipeline.demosaicing(by: .best)
    let lane = ReadingLane()
    let (part, full) = (
      try PlanarBuffer(size: PixelSize(width: 1, height: 1)), try NoiseFixture.rendered(best)
    )
    try lane.read(PixelRect(x: 0, y: 0, width: 120, height: 40), of: pipeline, into: part)
    try lane.read(PixelRect(x: 0, y: 40, width: 120, height: 50), of: best, into: part)
    for y in 0..<50 {
      for x in 0..<120 { #expect(part.row(1, y)[x] == full.row(1, y + 40)[x]) }
    }
  }

  @Test(arguments: patterns, [SensorSettings(), SensorSettings(method: .best)])
  func flatFieldStaysFlat(cfa: CFA, settings: SensorSettings) throws {
    for level: Float in [0, 0.004, 0.18, 0.7] {
      let data = SensorFixture.sensor(70, 50, cfa) { _, _, _ in level }
      let picture = try SensorFixture.picture(data, settings)
      var worst: Float = 0
      for y in 0..<50 {
        for x in 0..<70 { for c in 0..<3 { worst = max(worst, abs(picture[x, y][c] - level)) } }
      }
      #expect(worst <= 1e-6, "\(level): \(worst)")
    }
  }

  @Test(arguments: patterns)
  func darkNoiseKeepsItsMean(cfa: CFA) throws {
    let data = SensorFixture.sensor(240, 240, cfa) { x, y, _ in
      0.0005 + 0.003 * SensorFixture.noise(x, y)
    }
    var stored = 0.0
    for y in 0..<240 { for x in 0..<240 { stored += Double(data.samples.floats(row: y)[x]) } }
    stored /= 240 * 240
    let picture = try SensorFixture.picture(data)
    var sum = SIMD3<Double>()
    var lowest: Float = 0
    for y in 0..<240 {
      for x in 0..<240 {
        sum += SIMD3<Double>(picture[x, y])
        lowest = min(lowest, picture[x, y].min())
      }
    }
    let mean = sum / (240 * 240)
    for c in 0..<3 { #expect(abs(mean[c] - stored) < 1e-4, "\(mean) \(stored)") }
    #expect(lowest < -0.003, "negative values stay")
  }

  @Test(arguments: patterns)
  func allSaturatedIsNeutralFromTheCeilingOn(cfa: CFA) throws {
    let data = SensorFixture.sensor(80, 60, cfa) { x, _, _ in x < 20 ? 0.3 : 1 }
    let balance = SIMD4<Float>(2.1, 1, 1.5, 1.2)
    let pipeline = try SensorPipeline(data, balance: balance, settings: SensorSettings())
    let picture = try SensorFixture.picture(data, balance: balance)
    let clipped = try SensorFixture.picture(
      data, balance: balance, SensorSettings(highlights: .clipped))
    #expect(pipeline.clippedCeiling == 2.1)
    let present = Set(cfa.channels).count
    for c in 0..<4 where cfa.channels.contains(UInt8(c)) {
      #expect(abs(pipeline.clippedFraction[c] - 0.75) < 0.03, "\(present)")
    }
    for y in 0..<60 {
      for x in 40..<80 {
        let pixel = picture[x, y]
        #expect(pixel.max() - pixel.min() < 3e-6 && pixel.min() > 2.1 - 3e-6)
        for c in 0..<3 { #expect(abs(clipped[x, y][c] - 1) < 2e-6) }
      }
    }
  }

  @Test func patternShiftsWithTheSensor() throws {
    for dy in 0..<2 {
      for dx in 0..<2 {
        let base = SensorFixture.sensor(90, 70, SensorFixture.bayers[0]) {
          SensorFixture.busy($0, $1, $2)
        }
        let cfa = CFA(
          width: 2, height: 2,
          channels: (0..<4).map {
            UInt8(SensorFixture.bayers[0].channel(x: $0 % 2 + dx, y: $0 / 2 + dy))
          })
        let shifted = SensorFixture.sensor(88, 68, cfa) {
          SensorFixture.busy($0 + dx, $1 + dy, $2)
        }
        try expectSame(base, shifted, dx, dy)
      }
    }
  }

  @Test func allXTransOffsetsGiveTheSamePicture() throws {
    let base = SensorFixture.sensor(96, 90, SensorFixture.xTrans()) {
      SensorFixture.busy($0, $1, $2)
    }
    for dy in 0..<6 {
      for dx in 0..<6 {
        let shifted = SensorFixture.sensor(90, 84, SensorFixture.xTrans(x: dx, y: dy)) {
          SensorFixture.busy($0 + dx, $1 + dy, $2)
        }
        try expectSame(base, shifted, dx, dy)
      }
    }
  }

  /// Away from the borders the two pictures are the same except for the offset; the sums of the
  /// highlight offsets run over slightly different areas.
  private func expectSame(_ a: SensorData, _ b: SensorData, _ dx: Int, _ dy: Int) throws {
    let settings = SensorSettings(highlights: .clipped)
    let (first, second) = (
      try SensorFixture.picture(a, settings), try SensorFixture.picture(b, settings)
    )
    var worst: Float = 0
    for y in 24..<b.size.height - 24 {
      for x in 24..<b.size.width - 24 {
        let d = first[x + dx, y + dy] - second[x, y]
        worst = max(worst, abs(d.x), abs(d.y), abs(d.z))
      }
    }
    #expect(worst < 2e-3, "offset \(dx) \(dy)")
  }

  @Test func hostileInputIsRefusedOrFinite() throws {
    let cfa = SensorFixture.bayers[0]
    let values: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, 0.5, .leastNonzeroMagnitude]
    let data = SensorFixture.sensor(64, 64, cfa) { x, y, _ in values[(x + 3 * y) % 7] }
    let picture = try SensorFixture.picture(data)
    for y in 0..<64 { for x in 0..<64 { #expect(picture[x, y].sum().isFinite) } }
    func refused(_ data: SensorData, _ balance: SIMD4<Float> = SIMD4(repeating: 1)) -> Bool {
      do throws(RAWError) {
        _ = try SensorPipeline(data, balance: balance, settings: SensorSettings())
        return false
      } catch { return error.stage == .sensor }
    }
    #expect(refused(data, SIMD4(1, .nan, 1, 1)))
    #expect(refused(data, SIMD4(1, 0, 1, 1)))
    let tooFew = SensorData(
      size: PixelSize(width: 65, height: 64), layout: data.layout, samples: data.samples,
      levels: data.levels)
    #expect(refused(tooFew))
    let noBlack = SensorLevels(
      patternWidth: 2, patternHeight: 2, black: [0], scale: SIMD4(repeating: 1))
    #expect(
      refused(
        SensorData(size: data.size, layout: data.layout, samples: data.samples, levels: noBlack)))
  }
}
