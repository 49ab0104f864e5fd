import Foundation
import Testing

@testable import Batch

@Suite struct BatchStopTests {
  @Test func aRequestEndsTheWait() {
    let stop = BatchStop()
    #expect(!stop.isRequested)
    stop.wait(seconds: 0.01)
    stop.wait(seconds: -1)
    stop.wait(seconds: .nan)
    #expect(!stop.isRequested)
    Thread.detachNewThread { stop.request() }
    stop.wait(seconds: 600)
    #expect(stop.isRequested)
    // More requests than a pipe holds.
    for _ in 0..<70_000 { stop.request() }
    stop.wait(seconds: 600)
  }
}
