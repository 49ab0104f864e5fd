import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SensorOpcodesTests {
  private typealias B = OpcodeBytes
  private typealias F = OpcodeFixture
  private static let size = PixelSize(width: 12, height: 10)
  private static let all = OpcodeSelection()

  private func stored(
    _ data: SensorData, _ list: [UInt8]..., active: PixelRect? = nil, table: [UInt16] = []
  ) throws -> SensorData {
    let frame = active.map { PixelSize(width: $0.endX, height: $0.endY) } ?? data.size
    let lists = try F.lists(B.list(list), size: frame, active: active, isMosaic: true)
    return try lists.applyStored(to: data, Self.all, table: table, workers: 2)
  }

  private func linear(_ data: SensorData, _ list: [UInt8]...) throws -> SensorData {
    let lists = try F.lists(
      [], B.list(list), size: data.size, isMosaic: data.samplesPerPixel == 1)
    return try lists.applyLinear(to: data, Self.all, workers: 2)
  }

  private func count(_ data: SensorData, _ x: Int, _ y: Int) -> Int {
    Int(data.samples.counts(row: y)[x])
  }

  @Test func constantBadPixelsTakeTheirNeighbors() throws {
    for (phase, cfa) in SensorFixture.bayers.enumerated() {
      // RGGB, GRBG, GBRG, BGGR are the phases 0 to 3. Each color has its own gradient.
      let data = try F.data(Self.size, .mosaic(cfa)) { x, y, _ in
        let isBad = (x, y) == (5, 4) || (x, y) == (4, 4) || (x, y) == (0, 0)
        return isBad ? 7 : UInt16(1000 + 4000 * cfa.channel(x: x, y: y) + 10 * x + 20 * y)
      }
      let out = try stored(data, B.opcode(4, B.words(7, phase)))
      for (x, y) in [(5, 4), (4, 4)] {
        #expect(count(out, x, y) == 1000 + 4000 * cfa.channel(x: x, y: y) + 10 * x + 20 * y)
      }
      // In the corner green has one neighbor, at (1, 1), the others two, at (2, 0) and (0, 2).
      #expect(count(out, 0, 0) == 1000 + 4000 * cfa.channel(x: 0, y: 0) + 30)
      #expect(count(out, 7, 7) == count(data, 7, 7))
    }
  }

  /// Up to a quarter of a plane is repaired from the nearest good ones, however far within reach;
  /// if more are bad, only those beside a good one, so that a black frame takes no seconds.
  @Test func manyOfOneValueTakeTheNearestAlone() throws {
    let size = PixelSize(width: 20, height: 20)
    for (columns, isFar) in [(5, true), (6, false)] {
      let data = try F.data(size, .monochrome) { x, _, _ in x < columns ? 7 : 1000 }
      let out = try stored(data, B.opcode(4, B.words(7, 0)))
      for y in 0..<20 {
        #expect(count(out, columns - 1, y) == 1000)
        for x in 0..<columns - 1 { #expect(count(out, x, y) == (isFar ? 1000 : 7)) }
      }
    }
    let black = try F.data(size, .monochrome) { _, _, _ in 7 }
    #expect(count(try stored(black, B.opcode(4, B.words(7, 0))), 10, 10) == 7)
  }

  @Test func listedBadPixelsCountFromTheFrame() throws {
    let cfa = SensorFixture.bayers[0]
    let truth = { (x: Int, y: Int) in UInt16(2000 + 5000 * cfa.channel(x: x, y: y) + 10 * x) }
    let data = try F.data(Self.size, .mosaic(cfa)) { x, y, _ in
      x == 6 || (x, y) == (2, 3) ? 65535 : truth(x, y)
    }
    // The active area starts at (3, 1), so that the frame's first pixel is blue.
    let list = B.opcode(5, B.words(3, 1, 1, 4, 5, 1, 9, 11, 10))
    let out = try stored(
      data, list, active: PixelRect(x: 3, y: 1, width: 12, height: 10))
    for y in 0..<10 {
      for x in 0..<12 { #expect(count(out, x, y) == Int(truth(x, y)), "\(x) \(y)") }
    }
  }

  /// Trimmed samples are not changed, except bad ones beside the rest.
  @Test func nothingIsDoneOutsideTheFrame() throws {
    let size = PixelSize(width: 12, height: 20)
    let data = try F.data(size, .monochrome) { x, y, _ in
      y == 4 || (x, y) == (5, 3) || (x, y) == (5, 12) ? 60000 : 1000
    }
    let trim = B.opcode(6, B.words(0, 0, 4, 12))
    let out = try stored(data, trim, B.polynomial([7], B.area(2, 0, 20, 12)))
    #expect([1, 2, 3, 4, 12, 19].map { count(out, 5, $0) } == [1000, 7, 7, 60000, 60000, 1000])
    let bad = B.words(0, 0, 3) + B.words(3, 5, 4, 6, 4, 0, 5, 12) + B.words(12, 5, 13, 6)
    let repaired = try stored(data, trim, B.opcode(5, bad))
    #expect([3, 4, 12].map { count(repaired, 5, $0) } == [1000, 1000, 60000])
  }

  @Test func badPixelsOfOtherPatternsKeepTheirColor() throws {
    let cfa = SensorFixture.xTrans()
    let data = try F.data(Self.size, .mosaic(cfa)) { x, y, _ in
      (x, y) == (5, 5) ? 0 : UInt16(1000 + 9000 * cfa.channel(x: x, y: y))
    }
    let out = try stored(data, B.opcode(4, B.words(0, 0)))
    #expect(count(out, 5, 5) == 1000 + 9000 * cfa.channel(x: 5, y: 5))
    let gray = try F.data(Self.size, .linear) { x, y, s in (x, y, s) == (5, 5, 1) ? 9 : 500 }
    let lists = try F.lists(B.list(B.opcode(4, B.words(9, 0))), size: Self.size)
    let fixed = try lists.applyStored(to: gray, Self.all, table: [], workers: 1)
    #expect(count(fixed, 16, 5) == 500)
  }

  @Test func firstListComesBeforeTheTable() throws {
    let data = try F.data(Self.size, .monochrome) { x, _, _ in UInt16(x * 3) }
    let table = (0..<256).map { UInt16(500 + $0 * $0) }
    // In stored numbers: 5 + 2x; a delta of 3 on row 4; the table's last entry beyond its end.
    let out = try stored(
      data, B.polynomial([5, 2]), B.lines(10, [3], B.area(4, 0, 5, 12)),
      B.polynomial([0, 100], B.area(9, 0, 10, 12)), table: table)
    #expect(count(out, 7, 0) == 500 + 47 * 47)
    #expect(count(out, 7, 4) == 500 + 50 * 50)
    #expect(count(out, 7, 9) == 500 + 255 * 255)
  }

  @Test func mapTableOfStoredNumbers() throws {
    let data = try F.data(Self.size, .monochrome) { x, _, _ in UInt16(x) }
    let out = try stored(data, B.table([9, 8, 7, 6]))
    #expect((0..<6).map { count(out, $0, 2) } == [9, 8, 7, 6, 6, 6])
  }

  @Test func fourGainMapsOfABayerMosaic() throws {
    let cfa = SensorFixture.bayers[0]
    let data = try F.data(Self.size, .mosaic(cfa)) { x, y, _ in UInt16(30000 + x + y) }
    let maps = (0..<4).map { i in
      B.gainMap(
        1, 1, [Float(i + 1)], B.area(i / 2, i % 2, 10, 12, pitch: (2, 2)))
    }
    let out = try linear(data, maps[0], maps[1], maps[2], maps[3])
    for y in 0..<10 {
      let row = out.linear(row: y)
      for x in 0..<12 {
        // Above 1 in three of four, which stays.
        let expected = Float(30000 + x + y) / 65535 * Float(y % 2 * 2 + x % 2 + 1)
        #expect(abs(row[x] - expected) < 1e-6)
      }
    }
    // It takes no picture of floats: values above 1 do not prove a higher range.
    #expect(out.gains != nil && out.samples.format == .uint16)
    #expect(try !LinearLevels(out, balance: SIMD4(repeating: 1)).isFloat)
  }

  /// Saturated areas stay neutral under the gains of a phone's lens, and others are not mistaken
  /// for them.
  @Test(arguments: [SensorSettings.Highlights.guided, .clipped, .kept])
  func saturatedLightIsGainedLast(highlights: SensorSettings.Highlights) throws {
    let (size, cfa) = (PixelSize(width: 96, height: 80), SensorFixture.bayers[0])
    let balance = SIMD4<Float>(2, 1, 1.5, 1)
    let data = try F.data(size, .mosaic(cfa)) { x, y, _ in
      let distance = (x - 48) * (x - 48) + (y - 40) * (y - 40)
      let value = Float(60_000) * 3 / (1 + Float(distance) / 200)
      return UInt16(min(value / balance[Int(cfa.channel(x: x, y: y))], 65_535))
    }
    let maps = (0..<4).map { i in
      B.gainMap(1, 1, [Float(2.5)], B.area(i / 2, i % 2, 80, 96, pitch: (2, 2)))
    }
    let gained = try linear(data, maps[0], maps[1], maps[2], maps[3])
    var settings = SensorSettings(highlights: highlights)
    settings.defects = .kept
    func pixels(_ data: SensorData) throws -> (SensorPipeline, PlanarBuffer) {
      let pipeline = try SensorPipeline(data, balance: balance, settings: settings, workers: 2)
      let buffer = try PlanarBuffer(size: size)
      try pipeline.read(PixelRect(size), into: buffer)
      return (pipeline, buffer)
    }
    let ((plain, a), (other, b)) = (try pixels(data), try pixels(gained))
    #expect(plain.clippedFraction == other.clippedFraction && plain.clippedFraction.max() > 0)
    for c in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (u, v) = (a.row(c, y)[x] * 2.5, b.row(c, y)[x])
          // At the hard edges of unreconstructed highlights the demosaic is not quite proportional.
          let close: Float = highlights == .kept ? 0.01 : 1e-4
          #expect(abs(u - v) <= close * max(abs(u), 0.1), "\(c) at \(x), \(y)")
        }
      }
    }
    let weights = Matrix3(diagonal: SIMD3(1, 1, 1))
    let (low, high) = (try plain.peak(of: weights), try other.peak(of: weights))
    #expect(abs(high / low - 2.5) < 1e-3)
  }

  /// With a gain for each filter, saturated areas stay neutral; all others get the gains.
  @Test(arguments: [SensorSettings.Highlights.guided, .clipped])
  func saturatedLightStaysNeutral(highlights: SensorSettings.Highlights) throws {
    let (size, cfa) = (PixelSize(width: 97, height: 80), SensorFixture.bayers[0])
    let balance = SIMD4<Float>(2, 1, 1.5, 1)
    let own: [Float] = [2.8, 2.2, 2.2, 2]
    let data = try F.data(size, .mosaic(cfa)) { x, y, _ in
      if x > 40 { return 65_535 }
      return UInt16(9000 / balance[Int(cfa.channel(x: x, y: y))] / own[y % 2 * 2 + x % 2])
    }
    let maps = (0..<4).map { i in
      B.gainMap(1, 1, [own[i]], B.area(i / 2, i % 2, 80, 97, pitch: (2, 2)))
    }
    var settings = SensorSettings(highlights: highlights)
    settings.defects = .kept
    let pipeline = try SensorPipeline(
      try linear(data, maps[0], maps[1], maps[2], maps[3]), balance: balance, settings: settings,
      workers: 2)
    let buffer = try PlanarBuffer(size: size)
    try pipeline.read(PixelRect(size), into: buffer)
    for x in [10, 20, 60, 96] {
      let rgb = (0..<3).map { buffer.row($0, 40)[x] }
      #expect(abs(rgb[0] / rgb[1] - 1) < 1e-2 && abs(rgb[2] / rgb[1] - 1) < 1e-2, "\(x): \(rgb)")
    }
  }

  @Test func chromaPlanesOnly() throws {
    let data = try F.data(Self.size, .linear) { x, _, s in UInt16(1000 * (s + 1) + x) }
    let map = B.gainMap(1, 1, [0.5], B.area(plane: 1, planes: 2))
    let row = try linear(data, map).linear(row: 3)
    for x in 0..<12 {
      #expect(abs(row[3 * x] * 65535 - Float(1000 + x)) < 0.01)
      #expect(abs(row[3 * x + 1] * 65535 - Float(2000 + x) / 2) < 0.01)
      #expect(abs(row[3 * x + 2] * 65535 - Float(3000 + x) / 2) < 0.01)
    }
  }

  @Test func mapsOfTheWholePictureCostNoPicture() throws {
    let data = try F.data(Self.size, .linear) { x, y, s in UInt16(5000 * x + 17 * y + s) }
    let cubes = (0..<3).map { B.polynomial([0.01, 0, 0, 0.9], B.area(0, 0, 10, 12, plane: $0)) }
    let folded = try linear(data, cubes[0], cubes[1], cubes[2])
    #expect(folded.samples === data.samples)
    #expect(folded.levels.curves.count == 3)
    // An area that leaves out the last column makes a picture; elsewhere both agree to the bit.
    let parts = (0..<3).map { B.polynomial([0.01, 0, 0, 0.9], B.area(0, 0, 10, 11, plane: $0)) }
    let other = try linear(data, parts[0], parts[1], parts[2])
    #expect(other.samples.format == .float32)
    for y in 0..<10 {
      #expect(folded.linear(row: y).prefix(33) == other.linear(row: y).prefix(33))
      #expect(folded.linear(row: y).suffix(3) != other.linear(row: y).suffix(3))
    }
    let table = (0..<65536).map { UInt16($0 / 2) }
    let both = try linear(data, cubes[0], B.table(table, B.area(planes: 3)))
    #expect(both.samples === data.samples)
    // Black becomes 0.01, which is entry 655 of the table.
    #expect(both.linear(row: 0)[0] == Float(327) / 65535)
  }

  @Test func curvesReachThePipeline() throws {
    let data = try F.data(Self.size, .mosaic(SensorFixture.bayers[1])) { x, y, _ in
      UInt16(1000 * x + 3000 * y)
    }
    let square = try linear(data, B.polynomial([0, 0, 1]))
    #expect(square.samples === data.samples)
    let out = try SensorFixture.picture(
      square, balance: SIMD4(2, 1, 1, 1),
      SensorSettings(highlights: .kept, defects: .kept))
    let value = Float(5000 + 4 * 3000) / 65535
    // Column 5, row 4 of GRBG is red, column 4 green.
    #expect(abs(out[5, 4].x - value * value * 2) < 1e-5)
  }

  @Test func trimmingKeepsColorsAndLevels() throws {
    let cfa = SensorFixture.bayers[0]
    var data = try F.data(Self.size, .mosaic(cfa)) { x, y, _ in UInt16(100 * x + y) }
    var levels = data.levels
    (levels.patternWidth, levels.patternHeight, levels.black) = (2, 2, [0, 10, 20, 30])
    levels.deltaRow = (0..<10).map { Float($0) }
    data = SensorData(
      size: data.size, layout: data.layout, samples: data.samples, levels: levels)
    let part = try data.part(PixelRect(x: 3, y: 1, width: 6, height: 8))
    #expect(part.layout == .mosaic(SensorFixture.bayers[3]))
    for y in 0..<8 {
      #expect(part.linear(row: y) == Array(data.linear(row: y + 1)[3..<9]))
    }
  }

  @Test func floatsMustFitTheLimits() throws {
    let data = try F.data(Self.size, .monochrome) { _, _, _ in 1 }
    let delta = B.lines(10, [3], B.area(4, 0, 5, 12))
    let lists = try F.lists([], B.list(delta), size: Self.size)
    var limits = DecodeLimits()
    limits.maxDecodeBytes = Self.size.area * 4 - 1
    let error = #expect(throws: RAWError.self) {
      try lists.applyLinear(to: data, Self.all, limits: limits, workers: 1)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func threadsMakeNoDifference() throws {
    let data = try F.data(PixelSize(width: 40, height: 70), .mosaic(SensorFixture.bayers[0])) {
      x, y, _ in UInt16(truncatingIfNeeded: x * 1931 + y * 7919)
    }
    let list = B.list(
      B.vignette([0.4, 0, 0, 0, 0]), B.opcode(5, B.words(0, 1, 1, 5, 5, 7, 7, 30, 20)),
      B.gainMap(1, 2, [1, 1.5]))
    let lists = try F.lists([], list, size: data.size, isMosaic: true)
    let one = try lists.applyLinear(to: data, Self.all, workers: 1)
    let many = try lists.applyLinear(to: data, Self.all, workers: 7)
    for y in 0..<70 { #expect(one.linear(row: y) == many.linear(row: y)) }
  }
}
