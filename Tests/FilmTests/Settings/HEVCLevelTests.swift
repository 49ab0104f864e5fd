import ImageCore
import Testing

@testable import Film

struct HEVCLevelTests {
  private func level(_ width: Int, _ height: Int, _ rate: String, bits: Int? = nil) throws
    -> Int?
  {
    HEVCLevel.of(
      PixelSize(width: width, height: height), try #require(FrameRate(rate)), bitRate: bits)?.code
  }

  @Test("The examples of the standard's tables")
  func examples() throws {
    #expect(try level(1280, 720, "30") == 93)
    #expect(try level(1920, 1080, "24") == 120)
    #expect(try level(1920, 1080, "60") == 123)
    #expect(try level(3840, 2160, "30") == 150)
    #expect(try level(3840, 2160, "60") == 153)
    #expect(try level(3840, 2160, "120") == 156)
    #expect(try level(7680, 4320, "30") == 180)
    #expect(try level(7680, 4320, "120") == 186)
    #expect(try level(16_384, 8192, "24") == nil)
  }

  @Test("A bit rate needs the level that holds it")
  func bitRates() throws {
    #expect(try level(1920, 1080, "24", bits: 30_000_000) == 120)
    #expect(try level(1920, 1080, "24", bits: 60_000_000) == 150)
    #expect(try level(1920, 1080, "24", bits: 900_000_000) == nil)
  }
}
