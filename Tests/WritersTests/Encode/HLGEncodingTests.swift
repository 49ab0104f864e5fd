import Foundation
import ImageCore
import Testing

@testable import Writers

struct HLGEncodingTests {
  @Test("HLG is within 0.05 of a 10-bit code of the standard, in KernelRows.grays and in colors")
  func hlg() throws {
    let peak = Float(HLG.peakNits / ReferenceWhite.nits)
    let levels = KernelRows.grays.filter { $0.x < peak * 0.6 }
    var worst = 0.0
    for tint in [SIMD3<Float>(1, 1, 1), SIMD3(1, 0.4, 0.1), SIMD3(0.3, 1, 0.5), SIMD3(0.5, 0.2, 1)]
    {
      let colors = levels.map { $0 * tint }
      for (linear, signal) in zip(
        colors, try KernelRows.run(colors) { HLGEncoding.encode($0) })
      {
        let scene = HLG.scene(display: SIMD3<Double>(linear) * ReferenceWhite.nits / HLG.peakNits)
        guard scene.max() <= 1 else { continue }
        for c in 0..<3 {
          worst = max(worst, abs(Double(signal[c]) - HLG.signal(scene: scene[c])) * 1023)
        }
      }
    }
    #expect(worst < 0.05)
  }

  @Test("Colors outside HLG keep their luminance and order of channels")
  func hlgDesaturates() throws {
    let peak = Float(HLG.peakNits / ReferenceWhite.nits)
    let colors = [
      SIMD3<Float>(0, 0, peak), SIMD3(peak, 0.2, 0), SIMD3(peak, peak * 0.9, 0),
      SIMD3(0.5, 0, peak),
    ]
    for (linear, signal) in zip(
      colors, try KernelRows.run(colors) { HLGEncoding.encode($0) })
    {
      let wanted = HLG.scene(display: SIMD3<Double>(linear / peak))
      #expect(wanted.max() > 1)
      var scene = SIMD3<Double>.zero
      for c in 0..<3 { scene[c] = HLG.scene(signal: Double(signal[c])) }
      #expect(abs(scene.max() - 1) < 1e-4)
      let weights = Primaries.bt2020.luminance
      #expect(abs((scene * weights).sum() - (wanted * weights).sum()) < 1e-4)
      for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        #expect((scene[a] - scene[b]) * (wanted[a] - wanted[b]) >= 0)
      }
    }
  }
}
