import Testing

@testable import Film

struct TimecodeTests {
  @Test("The bytes of the tag are digits, frames first")
  func bytes() {
    let code = Timecode([0x01, 0x10, 0x16, 0x02, 0, 0, 0, 0])
    #expect(code?.description == "02:16:10:01")
    #expect(code?.dropsFrames == false)
    #expect(Timecode([0x41, 0x10, 0x16, 0x02, 0, 0, 0, 0])?.description == "02:16:10;01")
  }

  @Test("What is no time is none")
  func damaged() {
    for bytes: [UInt8] in [
      [], [1, 2, 3], [0x0F, 0, 0, 0, 0, 0, 0, 0], [0, 0x60, 0, 0, 0, 0, 0, 0],
      [0, 0, 0x7A, 0, 0, 0, 0, 0], [0, 0, 0, 0x24, 0, 0, 0, 0],
    ] {
      #expect(Timecode(bytes) == nil)
    }
    for text in ["", "1:2:3", "24:00:00:00", "01:60:00:00", "01:00:00:-1", "a:b:c:d"] {
      #expect(Timecode(text) == nil)
    }
  }

  @Test("A number of a frame is below the rate, and frames are dropped at 30000/1001")
  func rates() throws {
    let last = try #require(Timecode("00:00:00:23"))
    #expect(last.fits(.usual))
    #expect(try !#require(Timecode("00:00:00:24")).fits(.usual))
    let dropping = try #require(Timecode("00:01:00;02"))
    #expect(!dropping.fits(.usual))
    #expect(dropping.fits(try #require(FrameRate("29.97"))))
  }
}
