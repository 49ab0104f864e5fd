import Foundation
import ImageCore
import Testing

@testable import Writers

struct SDREncodingTests {
  @Test(
    "Every curve is within 1e-6 of its standard",
    arguments: [
      (SDREncoding.sRGB, { @Sendable (v: Double) in SRGB.signal(linear: v) }),
      (.bt2020, { @Sendable (v: Double) in BT2020.signal(linear: v) }),
      (.adobeRGB, { @Sendable (v: Double) in AdobeRGB.signal(linear: v) }),
      (.proPhoto, { @Sendable (v: Double) in ROMM.signal(linear: v) }),
      (.linear, { @Sendable (v: Double) in v }),
    ])
  func curves(encoding: SDREncoding, signal: @Sendable (Double) -> Double) throws {
    let colors = KernelRows.grays.filter { $0.x <= 1 }
    for (linear, made) in zip(colors, try KernelRows.run(colors) { encoding.encode($0) }) {
      #expect(abs(Double(made.x) - signal(Double(linear.x))) < 1e-6, "\(linear.x)")
    }
  }

  /// Adobe RGB (1998), 4.3.1.2, and ISO 22028-2: where the parts meet, and middle gray.
  @Test func publishedValues() {
    #expect(abs(pow(0.5, AdobeRGB.exponent) - 0.21776) < 1e-5)
    #expect(abs(ROMM.signal(linear: 1.0 / 512) - 1.0 / 32) < 1e-12)
    #expect(abs(ROMM.linear(signal: 1.0 / 32) - 1.0 / 512) < 1e-12)
    #expect(abs(ROMM.signal(linear: 0.18) - 0.38571) < 1e-5)
  }
}
