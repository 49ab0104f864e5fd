import ImageCore
import RawTestSupport
import Testing

@testable import RawData
@testable import RawSensor

/// The laws of every demosaic in the list.
@Suite struct DemosaicsTests {
  /// A mosaic and a method of one demosaic, also of one that an earlier one in the list hides.
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: any Demosaic.Type
    let cfa: CFA
    let method: DemosaicMethod

    var testDescription: String { "\(kind) \(cfa.kind) \(method)" }

    /// `data` by this demosaic.
    func pipeline(_ data: SensorData) throws -> SensorPipeline {
      let settings = SensorSettings(
        highlights: .kept, defects: .kept, method: method, noise: NoiseFixture.model)
      let made = try SensorPipeline(data, balance: NoiseFixture.even, settings: settings)
      return made.demosaicing { kind.init($0) ?? GrayDemosaic() }
    }
  }

  static let patterns =
    SensorPipelineTests.patterns + [
      SensorPipelineTests.almostXTrans, CFA(width: 1, height: 1, channels: [0]),
      CFA(width: 2, height: 2, channels: [0, 3, 1, 2]),
    ]

  static let cases: [Case] = Demosaics.all.flatMap { kind in
    patterns.flatMap { cfa in
      Set(DemosaicMethod.allCases.compactMap { kind.method(cfa, $0) })
        .sorted { $0.rawValue < $1.rawValue }
        .map { Case(kind: kind, cfa: cfa, method: $0) }
    }
  }

  static func settings(_ cfa: CFA, _ method: DemosaicMethod) -> DemosaicSettings {
    DemosaicSettings(
      cfa: cfa, method: method, noise: nil,
      scale: DemosaicScale(minimum: 0, domain: .squareRoot), matrix: ChannelMatrix([]))
  }

  @Test func everyMosaicHasOneByEveryMethod() {
    for cfa in Self.patterns {
      for asked in DemosaicMethod.allCases {
        guard let kind = Demosaics.all.first(where: { $0.method(cfa, asked) != nil }) else {
          Issue.record("no demosaic of \(cfa) by \(asked)")
          continue
        }
        let made = Demosaics.make(Self.settings(cfa, asked))
        #expect(type(of: made) == kind, "\(cfa) \(asked)")
        let used = asked.used(for: .mosaic(cfa))
        #expect(used != .automatic && used.used(for: .mosaic(cfa)) == used, "\(cfa) \(asked)")
      }
    }
  }

  @Test func whatHasNoMethodIsNotMade() {
    for kind in Demosaics.all where kind != PatternDemosaic.self {
      for cfa in Self.patterns {
        for asked in DemosaicMethod.allCases where kind.method(cfa, asked) == nil {
          #expect(kind.init(Self.settings(cfa, asked)) == nil, "\(kind) \(cfa) \(asked)")
        }
      }
    }
  }

  @Test func eachOfTheListIsUsed() {
    for kind in Demosaics.all {
      #expect(
        Self.patterns.contains { cfa in
          DemosaicMethod.allCases.contains { asked in
            type(of: Demosaics.make(Self.settings(cfa, asked))) == kind
          }
        }, "\(kind)")
    }
  }

  /// Methods that resolve to the same one give the same pixels.
  @Test(arguments: patterns)
  func methodsThatComeToTheSameMakeTheSame(cfa: CFA) throws {
    let data = SensorFixture.sensor(70, 50, cfa, scene: SensorFixture.busy)
    func picture(_ method: DemosaicMethod) throws -> Image<CameraRGB> {
      try SensorFixture.picture(data, SensorSettings(method: method, noise: NoiseFixture.model))
    }
    for asked in DemosaicMethod.allCases {
      let used = asked.used(for: .mosaic(cfa))
      #expect(NoiseFixture.differences(try picture(asked), try picture(used)) == 0, "\(asked)")
    }
  }

  @Test(arguments: cases)
  func flatFieldsStayFlat(one: Case) throws {
    for level: Float in [0, 0.004, 0.18, 0.7] {
      let data = SensorFixture.sensor(70, 50, one.cfa) { _, _, _ in level }
      let picture = try NoiseFixture.rendered(one.pipeline(data))
      var worst: Float = 0
      for y in 0..<50 {
        for x in 0..<70 { for c in 0..<3 { worst = max(worst, abs(picture[x, y][c] - level)) } }
      }
      #expect(worst <= 4e-6, "\(level): \(worst)")
    }
  }

  /// A pixel does not change, to the bit, if something changes beyond the reach, and does if
  /// something changes within it.
  @Test(arguments: cases)
  func readsAsFarAsItReaches(one: Case) throws {
    let size = PixelSize(width: 101, height: 90)
    let made = one.kind.init(Self.settings(one.cfa, one.method))
    let demosaic = try #require(made)
    func picture(_ isOther: (Int, Int) -> Bool) throws -> Image<CameraRGB> {
      let data = SensorFixture.sensor(size.width, size.height, one.cfa) { x, y, c in
        0.1 + 0.8 * SensorFixture.hash(x, y, isOther(x, y) ? 4 + c : c)
      }
      return try NoiseFixture.rendered(one.pipeline(data))
    }
    let plain = try picture { _, _ in false }
    for (left, top) in [(50, 44), (49, 45)] {
      func distance(_ x: Int, _ y: Int) -> (Int, Int) { (abs(x - left), abs(y - top)) }
      let beyond = try picture {
        let (dx, dy) = distance($0, $1)
        return dx > demosaic.columnReach || dy > demosaic.reach
      }
      #expect(beyond[left, top] == plain[left, top])
      guard demosaic.reach > 0 else { continue }
      let within = try picture {
        let (dx, dy) = distance($0, $1)
        return (dx, dy) != (0, 0) && dx <= demosaic.columnReach && dy <= demosaic.reach
      }
      #expect(within[left, top] != plain[left, top])
    }
  }
}
