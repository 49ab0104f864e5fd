import Foundation
import ImageCore
import Testing

@testable import Writers

struct PQEncodingTests {
  @Test("PQ is within 2e-6 of the standard, from 0.0003 to 10,000 cd/m²")
  func pq() throws {
    var worst = 0.0
    for (linear, signal) in zip(
      KernelRows.grays,
      try KernelRows.run(KernelRows.grays) { PQEncoding.encode($0) })
    {
      let wanted = PQ.signal(nits: Double(linear.x) * ReferenceWhite.nits)
      worst = max(worst, abs(Double(signal.x) - wanted))
    }
    #expect(worst < 2e-6)
    let ends = try KernelRows.run([SIMD3(0, -1, .nan), SIMD3(60, .infinity, 49.2611)]) {
      PQEncoding.encode($0)
    }
    #expect(ends[0].max() < 2e-6 && ends[0].min() >= 0)
    #expect(ends[1].min() > 0.999998 && ends[1].max() <= 1)
  }
}
