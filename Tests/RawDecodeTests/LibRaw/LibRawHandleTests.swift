import Containers
import ImageCore
import TestSupport
import Testing

@testable import RawDecode

@Suite struct LibRawHandleTests {
  /// One that only LibRaw decodes.
  private func file(_ limits: DecodeLimits = DecodeLimits()) throws -> FileBytes {
    try FileBytes(path: SharedFiles.path("raws/canonG2_CRW_0304.CRW"), limits: limits)
  }

  @Test func stepsStopWhenTheTimeIsOver() throws {
    let time = TestTime()
    let bytes = try time.asClock { try file(DecodeLimits(maxSeconds: 1000)) }
    let handle = try LibRawHandle(bytes)
    time.set(.seconds(500))
    #expect(throws: Never.self) { try handle.unpack() }
    time.set(.seconds(1001))
    let late = #expect(throws: RAWError.self) { try LibRawHandle(bytes) }
    #expect(late?.code == .tooLarge && late?.stage == .open)
    time.set(.zero)
    let other = try LibRawHandle(bytes)
    time.set(.seconds(1001))
    let error = #expect(throws: RAWError.self) { try other.unpack() }
    #expect(error?.code == .tooLarge && error?.stage == .decode)
    #expect(error?.message.contains("more than 1000.0 s") == true)
  }

  /// What the timer does.
  @Test func rowsStop() throws {
    let handle = try LibRawHandle(file())
    handle.stop()
    #expect(throws: RAWError.self) { try handle.unpack() }
    #expect(throws: Never.self) { try LibRawHandle(file()).unpack() }
  }
}
