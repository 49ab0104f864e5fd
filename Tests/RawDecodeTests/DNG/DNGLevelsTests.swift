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

  /// Integers have at least a step of 1 between black and white.
  @Test(arguments: [(1e-6, 0, false), (16383, 16382.99999, false), (1, 0, true)])
  func blackAndWhiteOfIntegersDiffer(white: Double, black: Double, isTaken: Bool) throws {
    var dng = TinyDNG()
    for (tag, level) in [(UInt16(50717), white), (50714, black)] {
      dng.fields[tag] = TinyDNG.Value(type: 12, count: 1) { TinyDNG.number(level.bitPattern, $0) }
    }
    let bytes = Array(dng.data)
    guard !isTaken else {
      _ = try RawFile.open(bytes: bytes)
      return
    }
    let error = try #require(throws: RAWError.self) { try RawFile.open(bytes: bytes) }
    #expect(error.code == .damaged && error.message.contains("white level"))
  }
}
