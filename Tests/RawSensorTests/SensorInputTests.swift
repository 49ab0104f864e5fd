import ImageCore
import Testing

@testable import RawData
@testable import RawSensor

@Suite struct SensorInputTests {
  /// Tables of each row of a pattern, as wide as the picture, must be small beside it.
  @Test(arguments: [(131_200, false), (2000, true)])
  func patternsMustRepeatInLargePictures(width: Int, isTaken: Bool) throws {
    let channels = (0..<32 * 32).map { UInt8($0 % 3) }
    let cfa = CFA(width: 32, height: 32, channels: channels)
    let data = try OpcodeFixture.data(PixelSize(width: width, height: 32), .mosaic(cfa)) {
      _, _, _ in
      1000
    }
    let check = {
      try SensorInput.check(data, SIMD4(repeating: 1), SensorSettings())
    }
    guard !isTaken else { return try check() }
    let error = try #require(throws: RAWError.self) { try check() }
    #expect(error.code == .damaged && error.message.contains("pattern"))
  }
}
