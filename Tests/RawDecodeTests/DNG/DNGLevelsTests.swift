import RawTestSupport
import Testing

@testable import RawDecode

@Suite struct DNGLevelsTests {
  /// Levels may be stored as doubles.
  @Test(arguments: [(50717, 1e30), (50714, -1e30)] as [(UInt16, Double)])
  func levelsBeyondAllSamplesAreDamage(tag: UInt16, level: Double) throws {
    var dng = TinyDNG()
    dng.fields[tag] = TinyDNG.Value(type: 12, count: 1) { TinyDNG.number(level.bitPattern, $0) }
    let error = try #require(throws: RAWError.self) { try RawFile.open(bytes: Array(dng.data)) }
    #expect(error.code == .damaged && error.message.contains("levels"))
  }
}
