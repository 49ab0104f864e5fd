import Foundation
import ImageCore
import Testing

@testable import Writers

struct SDREncodingTests {
  @Test("The sRGB curve is within 1e-6 of the standard")
  func sdr() {
    let colors = KernelRows.grays.filter { $0.x <= 1 }
    for (light, signal) in zip(
      colors, KernelRows.run(colors) { SDREncoding.encode($0) })
    {
      #expect(abs(Double(signal.x) - SRGB.signal(linear: Double(light.x))) < 1e-6)
    }
  }
}
