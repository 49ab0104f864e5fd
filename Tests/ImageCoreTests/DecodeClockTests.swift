import ImageCore
import TestSupport
import Testing

@Suite struct DecodeClockTests {
  @Test func timeIsOverBehindTheLimit() {
    let time = TestTime()
    let clock = time.asClock { DecodeClock(DecodeLimits(maxSeconds: 2)) }
    #expect(!clock.isOver && clock.left == .seconds(2))
    time.set(.milliseconds(2000))
    #expect(!clock.isOver && clock.left == .zero)
    time.set(.milliseconds(2001))
    #expect(clock.isOver && clock.left == .zero)
    // Another one begins where it is made.
    #expect(!time.asClock { DecodeClock(DecodeLimits(maxSeconds: 2)) }.isOver)
  }

  @Test func withoutALimitThereIsNoEnd() {
    let time = TestTime()
    for seconds in [nil, Double.infinity, 1e300] {
      let clock = time.asClock { DecodeClock(DecodeLimits(maxSeconds: seconds)) }
      time.set(.seconds(1_000_000_000))
      #expect(!clock.isOver && clock.left == nil)
      time.set(.zero)
    }
    let negative = time.asClock { DecodeClock(DecodeLimits(maxSeconds: -5)) }
    #expect(!negative.isOver && negative.left == .zero)
    #expect(time.asClock { DecodeClock(DecodeLimits(maxSeconds: .nan)) }.left == nil)
  }
}
