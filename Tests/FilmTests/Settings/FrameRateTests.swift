import ImageCore
import Testing

@testable import Film

struct FrameRateTests {
  @Test("Rates are exact fractions, and decimals of television mean those of 1001")
  func texts() throws {
    let known: [(String, String)] = [
      ("24", "24/1"), ("25", "25/1"), ("24000/1001", "24000/1001"), ("23.976", "24000/1001"),
      ("23.98", "24000/1001"), ("29.97", "30000/1001"), ("59.94", "60000/1001"),
      ("12.5", "25/2"), ("48/2", "24/1"), ("0.5", "1/2"), ("1", "1/1"),
    ]
    for (text, fraction) in known { #expect(FrameRate(text)?.description == fraction) }
    for text in ["", "x", "0", "-24", "24/0", "24/1/1", "1e3", "24,5", "99999", "1/9999", ".", "-"]
    {
      #expect(FrameRate(text) == nil, "\(text)")
    }
  }

  @Test("A tag of 24000/1001 stays what it is, and its decimals mean it")
  func tags() {
    #expect(FrameRate(SignedRational(24_000, 1001)) == .usual)
    #expect(FrameRate(SignedRational(23_976, 1000)) == .usual)
    #expect(FrameRate(SignedRational(30, 1))?.description == "30/1")
    #expect(FrameRate(SignedRational(0, 1)) == nil)
    #expect(FrameRate(SignedRational(30, 0)) == nil)
    #expect(FrameRate(SignedRational(-30, 1)) == nil)
  }

  @Test("An integer number of frames is a number of seconds")
  func durations() {
    #expect(FrameRate.usual.duration(of: 24_000) == 1001)
    #expect(EncoderCommand.usualSegment(.usual) == 48)
  }
}
