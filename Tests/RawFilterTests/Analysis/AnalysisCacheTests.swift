import Foundation
import HDRRender
import ImageCore
import Testing

@testable import RawDecode
@testable import RawFilter
@testable import RawSensor

@Suite struct AnalysisCacheTests {
  private static func opcodes(_ isPreview: Bool) -> OpcodeSelection {
    OpcodeSelection(isPreview: isPreview)
  }

  private static func sensor(_ isPreview: Bool, _ balance: Float) -> Analysis {
    .sensor(
      SensorPlan(
        opcodes: opcodes(isPreview), balance: SIMD4(repeating: balance),
        settings: SensorSettings()))
  }

  @Test func findsOnce() throws {
    let cache = AnalysisCache()
    for _ in 0..<3 {
      #expect(
        try cache.value(.blur(OpcodeSelection(), balance: .one)) { Float(cache.count + 1) } == 1)
    }
    #expect(cache.count == 1 && cache.found(.blur) == 1)
  }

  @Test func failuresAreNotKept() throws {
    let cache = AnalysisCache()
    for _ in 0..<2 {
      #expect(throws: RAWError.self) {
        try cache.value(.baselineExposure(.standard, .d65, .kept)) {
          () throws(RAWError) -> Float in
          throw RAWError(.damaged, .decode, "no")
        }
      }
    }
    #expect(try cache.value(.baselineExposure(.standard, .d65, .kept)) { Float(2) } == 2)
  }

  @Test func nothingFoundIsAResult() throws {
    let cache = AnalysisCache()
    var searches = 0
    for _ in 0..<2 {
      let found = try cache.value(.lensProfile(database: nil)) { () -> LensProfile? in
        searches += 1
        return nil
      }
      #expect(found == nil)
    }
    #expect(searches == 1)
  }

  @Test func theLeastRecentlyUsedOfAKindGoes() throws {
    let cache = AnalysisCache()
    func find(_ path: String) throws -> Int {
      var isNew = 0
      _ = try cache.value(.lensProfile(database: path)) { () -> Int in
        isNew = 1
        return 0
      }
      return isNew
    }
    let limit = Analysis.Kind.lensProfile.limit
    for i in 0..<limit { #expect(try find("\(i)") == 1) }
    #expect(try find("0") == 0)
    #expect(try find("one more") == 1)
    #expect(cache.count == limit)
    #expect(try find("0") == 0)
    #expect(try find("1") == 1)
    // Another kind has a limit of its own.
    #expect(try cache.value(.blur(OpcodeSelection(), balance: .one)) { Float(1) } == 1)
    #expect(cache.count == limit + 1)
  }

  @Test func whatHoldsSamplesGoesWithThem() throws {
    let cache = AnalysisCache()
    for isPreview in [false, true] {
      _ = try cache.value(.samples(Self.opcodes(isPreview))) { 0 }
      for balance in 1...3 { _ = try cache.value(Self.sensor(isPreview, Float(balance))) { 0 } }
    }
    // One selection of opcodes, three pipelines.
    #expect(cache.count == 4)
    let retained: Int? = cache.known(Self.sensor(true, 1))
    let gone: Int? = cache.known(Self.sensor(false, 1))
    #expect(retained == 0 && gone == nil)
  }

  @Test func threadsGetTheSameResult() async throws {
    let cache = AnalysisCache()
    let found = try await withThrowingTaskGroup(of: UUID.self) { group in
      for _ in 0..<16 {
        group.addTask { try cache.value(.blur(OpcodeSelection(), balance: .one)) { UUID() } }
      }
      return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
  }

  /// A slider that moves all day: every step has another matrix and another peak.
  @Test func slidersDoNotFillMemory() throws {
    var filter = try RAWFilterTests.filter()
    filter.scaleFactor = 0.1
    let limit = Analysis.Kind.allCases.map(\.limit).reduce(0, +)
    for step in 0..<60 {
      filter.exposure = Float(step) / 30 - 1
      filter.neutralTemperature = Float(4000 + 20 * step)
      _ = try filter.plan()
    }
    #expect(filter.picture.cache.count < limit)
    #expect(filter.picture.cache.found(.peak) >= 60)
    #expect(filter.picture.counts.decodes == 1)
  }
}
