import Foundation
import Testing

@testable import Batch

@Suite struct CancellationTokenTests {
  @Test func aCancellationEndsTheWait() {
    let cancellation = CancellationToken()
    #expect(!cancellation.isCancelled)
    cancellation.wait(seconds: 0.01)
    cancellation.wait(seconds: -1)
    cancellation.wait(seconds: .nan)
    #expect(!cancellation.isCancelled)
    Thread.detachNewThread { cancellation.cancel() }
    cancellation.wait(seconds: 600)
    #expect(cancellation.isCancelled)
    // More requests than a pipe holds.
    for _ in 0..<70_000 { cancellation.cancel() }
    cancellation.wait(seconds: 600)
  }
}
