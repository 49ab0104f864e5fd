import ImageCore
import RawTestSupport
import SyntheticRaw
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct PointwiseOpcodeTests {
  private typealias B = OpcodeBytes
  private typealias F = OpcodeFixture
  private static let size = PixelSize(width: 8, height: 6)
  private static let ramp = certain {
    try OpcodeFixture.image(size) { x, y, c in
      Float(x + 8 * y) / 40 - 0.05 + Float(c) * 0.01
    }
  }

  private func check(
    _ list: [UInt8]..., balance: SIMD3<Float> = SIMD3(repeating: 1), tolerance: Float = 1e-6,
    _ expected: (Int, Int, Int, Float) -> Float
  ) throws {
    let out = try F.rendered(try F.corrected(Self.ramp, B.list(list), balance: balance))
    for y in 0..<6 {
      for x in 0..<8 {
        for c in 0..<3 {
          let value = expected(x, y, c, Self.ramp[x, y][c])
          #expect(abs(out[x, y][c] - value) <= tolerance, "\(x) \(y) \(c)")
        }
      }
    }
  }

  private func clip(_ v: Float) -> Float { min(max(v, 0), 1) }

  @Test func polynomial() throws {
    try check(B.polynomial([0.1, 0.2, 0.3], B.area(plane: 1, planes: 2))) { _, _, c, v in
      let x = clip(v)
      return c == 0 ? v : 0.1 + 0.2 * x + 0.3 * x * x
    }
    try check(B.polynomial([0.5, 2], B.area(planes: 9))) { _, _, _, v in clip(0.5 + 2 * clip(v)) }
  }

  @Test func table() throws {
    // Beyond its end the last entry.
    let entries = (0..<32768).map { UInt16(65535 - $0) }
    try check(B.table(entries, B.area(planes: 3))) { _, _, _, v in
      Float(entries[min(Int(clip(v) * 65535 + 0.5), 32767)]) / 65535
    }
  }

  @Test func mapsApplyBeforeTheBalance() throws {
    let balance = SIMD3<Float>(2, 1, 1.5)
    try check(B.polynomial([0, 0, 1], B.area(planes: 3)), balance: balance) { _, _, c, v in
      let x = clip(v / balance[c])
      return x * x * balance[c]
    }
    try check(B.lines(10, [0.25], B.area(2, 0, 3, 8, planes: 3)), balance: balance) { _, y, c, v in
      y == 2 ? v + 0.25 * balance[c] : v
    }
  }

  @Test func linesOfAreasAndPitches() throws {
    let area = B.area(1, 2, 6, 8, plane: 2, pitch: (2, 3))
    func isIn(_ x: Int, _ y: Int, _ c: Int) -> Bool {
      c == 2 && y >= 1 && (y - 1) % 2 == 0 && x >= 2 && (x - 2) % 3 == 0
    }
    try check(B.lines(10, [1, 2, 3], area)) { x, y, c, v in
      isIn(x, y, c) ? v + Float((y - 1) / 2 + 1) : v
    }
    try check(B.lines(11, [1, 2], area)) { x, y, c, v in
      isIn(x, y, c) ? v + Float((x - 2) / 3 + 1) : v
    }
    try check(B.lines(12, [1, 2, 3], area)) { x, y, c, v in
      isIn(x, y, c) ? v * Float((y - 1) / 2 + 1) : v
    }
    try check(B.lines(13, [1, 2], area)) { x, y, c, v in
      isIn(x, y, c) ? v * Float((x - 2) / 3 + 1) : v
    }
    // As many numbers as the area has lines, or the opcode is damaged.
    #expect(throws: RAWError.self) {
      try F.corrected(Self.ramp, B.list(B.lines(10, [1, 2], area)))
    }
  }

  @Test func gainMapIsBilinear() throws {
    let gains: [Float] = [1, 2, 3, 4, 6, 8]
    func gain(_ x: Int, _ y: Int) -> Float {
      // Points at 0, ½ and 1 across, at ¼ and ¾ down.
      let across = (Float(x) + 0.5) / 8 / 0.5
      let down = clip(((Float(y) + 0.5) / 6 - 0.25) / 0.5)
      let (i, f) = (min(Int(across), 1), across - Float(min(Int(across), 1)))
      let top = gains[i] + (gains[i + 1] - gains[i]) * f
      let bottom = gains[3 + i] + (gains[4 + i] - gains[3 + i]) * f
      return top + (bottom - top) * down
    }
    let map = B.gainMap(
      2, 3, gains, B.area(planes: 3), spacing: (0.5, 0.5), origin: (0.25, 0))
    // Values above 1 are preserved.
    try check(map, tolerance: 1e-5) { x, y, _, v in v * gain(x, y) }
  }

  /// A map is read at the positions of samples, however many points it has between them.
  @Test func gainMapsMayBeFinerThanThePicture() throws {
    let columns = 8 * 64
    let gains = (0..<columns).map { Float($0 * 37 % 101) / 50 }
    let map = B.list(B.gainMap(1, columns, gains, B.area(0, 0, 6, 8, planes: 3, pitch: (1, 2))))
    let source = try F.corrected(Self.ramp, map)
    let full = try F.rendered(source)
    for x in 0..<8 {
      let position = (Double(x) + 0.5) / 8 / (1 / Double(columns - 1))
      let left = gains[Int(position)]
      let gain = left + (gains[Int(position) + 1] - left) * Float(position - Double(Int(position)))
      let wanted = Self.ramp[x, 3] * (x % 2 == 0 ? gain : 1)
      for c in 0..<3 { #expect(abs(full[x, 3][c] - wanted[c]) < 1e-4) }
      let one = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
      try source.read(PixelRect(x: x, y: 3, width: 1, height: 1), into: one)
      #expect(one.row(1, 0)[0] == full[x, 3].y)
    }
  }

  @Test func positionsAreTheSameKeptOrNot() throws {
    // More maps than store positions, each with the samples of one column.
    let gains: [Float] = [1.25, 3, 0.5, 2]
    let count = PreparedGainMap.maxStored + 4
    let columns = (0..<count).map {
      B.gainMap(1, 4, gains, B.area(0, $0 % 8, 6, $0 % 8 + 1, planes: 3))
    }
    let map = B.gainMap(1, 4, gains, B.area(planes: 3))
    let full = try F.rendered(try F.corrected(Self.ramp, B.list(map)))
    let parts = try F.rendered(try F.corrected(Self.ramp, B.list(columns)))
    // The first columns are multiplied twice, by maps with and without.
    for x in count % 8..<8 { #expect(parts[x, 3] == full[x, 3]) }
    for x in 0..<count % 8 {
      let gain = full[x, 3].y / Self.ramp[x, 3].y
      #expect(abs(parts[x, 3].y / (full[x, 3].y * gain) - 1) < 1e-6)
    }
  }

  @Test func gainMapPlanes() throws {
    // The last plane of the map applies to the rest.
    let map = B.gainMap(1, 1, [2, 3], B.area(planes: 3), planes: 2)
    try check(map) { _, _, c, v in v * (c == 0 ? 2 : 3) }
    let second = B.gainMap(1, 1, [2, 3], B.area(plane: 1, planes: 1), planes: 2)
    try check(second) { _, _, c, v in c == 1 ? v * 3 : v }
  }

  @Test func vignette() throws {
    let k = [0.5, -0.25, 0.125, 0.06, 0.03]
    let corner: Float = 6.4 * 6.4 + 4.5 * 4.5
    try check(B.vignette(k, center: (0.2, 0.75)), tolerance: 1e-5) { x, y, _, v in
      let (dx, dy) = (Float(x) + 0.5 - 1.6, Float(y) + 0.5 - 4.5)
      let r = (dx * dx + dy * dy) / corner
      var (sum, power): (Float, Float) = (1, 1)
      for c in k {
        power *= r
        sum += Float(c) * power
      }
      return v * sum
    }
  }

  @Test func orderCounts() throws {
    let (double, square) = (B.gainMap(1, 1, [2], B.area(planes: 3)), B.polynomial([0, 0, 1]))
    try check(double, square) { _, _, c, v in c == 0 ? clip(2 * v) * clip(2 * v) : 2 * v }
    try check(square, double) { _, _, c, v in c == 0 ? clip(v) * clip(v) * 2 : 2 * v }
  }

  @Test func neutralOpcodesChangeNoBit() throws {
    let identity = (0..<65536).map { UInt16($0) }
    let area = B.area(planes: 3)
    let lists = [
      B.gainMap(2, 2, [1, 1, 1, 1], area), B.vignette([0, 0, 0, 0, 0]), B.lines(12, [1], area),
      B.lines(10, [0], area), B.polynomial([0, 1], area), B.table(identity, area),
      B.rectilinear([[1, 0, 0, 0, 0, 0]]), B.rectilinear2([1]),
    ]
    let source = try F.corrected(Self.ramp, B.list(lists))
    #expect(source is Image<CameraRGB>)
    // Gains of exactly 1 in a map that has others.
    let half = B.gainMap(1, 1, [1, 2], area, planes: 2)
    let out = try F.rendered(try F.corrected(Self.ramp, B.list(half)))
    for x in 0..<8 { #expect(out[x, 3].x == Self.ramp[x, 3].x) }
  }

  @Test func reducedPicturesMeetTheSameGains() throws {
    // Gains that change linearly: the mean of four pixels' gains is the gain of the reduced pixel.
    let map = B.gainMap(2, 2, [1, 2, 2, 3], B.area(planes: 3))
    let vignette = B.vignette([0.3, 0, 0, 0, 0])
    let gray = try F.image(PixelSize(width: 16, height: 12)) { _, _, _ in 0.25 }
    let small = try F.image(Self.size) { _, _, _ in 0.25 }
    for list in [B.list(map), B.list(vignette)] {
      let full = try F.rendered(try F.corrected(gray, list))
      let reduced = try F.rendered(try F.corrected(small, list, reduction: 2))
      for y in 0..<6 {
        for x in 0..<8 {
          let sum = full[2 * x, 2 * y] + full[2 * x + 1, 2 * y]
          let mean = (sum + full[2 * x, 2 * y + 1] + full[2 * x + 1, 2 * y + 1]) * 0.25
          #expect(abs(mean.x - reduced[x, y].x) < 1e-3)
        }
      }
    }
  }

  @Test func knowsWhatCanBeReduced() throws {
    func isReducible(_ opcode: [UInt8]) throws -> Bool {
      let lists = try F.lists([], [], B.list(opcode))
      return LensStage(
        actions: lists.actions(.lens, OpcodeSelection()), frame: lists.frame(.lens)
      ).isReducible
    }
    #expect(try isReducible(B.vignette([1, 0, 0, 0, 0])))
    #expect(try isReducible(B.rectilinear([[1.1, 0, 0, 0, 0, 0]])))
    #expect(try isReducible(B.gainMap(1, 1, [2])))
    #expect(try !isReducible(B.gainMap(1, 1, [2], B.area(0, 0, 6, 8, pitch: (2, 2)))))
    #expect(try !isReducible(B.lines(12, [2])))
    #expect(try !isReducible(B.opcode(6, B.words(0, 0, 2, 2))))
  }
}
