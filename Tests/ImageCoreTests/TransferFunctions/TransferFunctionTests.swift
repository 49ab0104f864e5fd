import ImageCore
import Testing

/// Published check values: SMPTE ST 2084, ITU-R BT.2100 and BT.2408, IEC 61966-2-1.
@Suite struct TransferFunctionTests {
  @Test(arguments: [
    (0.005, 0.015076), (0.1, 0.062337), (1, 0.149946), (10, 0.299699), (26, 0.380032),
    (100, 0.508078), (203, 0.580689), (400, 0.652579), (1000, 0.751827), (4000, 0.902572),
    (10_000, 1),
  ])
  func pq(nits: Double, signal: Double) {
    #expect(abs(PQ.signal(nits: nits) - signal) < 1e-6)
    #expect(abs(PQ.nits(signal: PQ.signal(nits: nits)) / nits - 1) < 1e-9)
  }

  /// Codes of ten bits, full and narrow range, and signals to linear values.
  @Test func pqCodes() {
    let published: [(Double, Double, Double)] = [
      (0.005, 15, 77), (0.1, 64, 119), (1, 153, 195), (10, 307, 327), (26, 389, 397),
      (100, 520, 509),
      (203, 594, 573), (400, 668, 636), (1000, 769, 723), (4000, 923, 855), (10_000, 1023, 940),
    ]
    for (nits, full, narrow) in published {
      let signal = PQ.signal(nits: nits)
      #expect((1023 * signal).rounded() == full, "\(nits)")
      #expect((64 + 876 * signal).rounded() == narrow, "\(nits)")
    }
    for (signal, nits) in [(0.5, 92.2457), (0.58, 201.666), (0.75, 983.378)] {
      #expect(abs(PQ.nits(signal: signal) / nits - 1) < 2e-6)
    }
  }

  @Test func hlg() {
    #expect(abs(HLG.signal(scene: 1 / 12.0) - 0.5) < 1e-9)
    #expect(abs(HLG.signal(scene: 0.18) - 0.672358) < 1e-6)
    #expect(abs(HLG.signal(scene: 0.5) - 0.871643) < 1e-6)
    #expect(abs(HLG.scene(signal: 0.75) - 0.264963) < 1e-6)
    for i in 0...100 {
      let e = Double(i) / 100
      #expect(abs(HLG.scene(signal: HLG.signal(scene: e)) - e) < 1e-9)
    }
    // 203 cd/m² on a display of 1000 is 75 % of the signal.
    let white = HLG.scene(display: SIMD3(repeating: 203.0 / 1000))
    #expect(abs(HLG.signal(scene: white.x) - 0.749877) < 1e-6)
  }

  @Test func hlgDisplayLightInverts() {
    for rgb in [SIMD3(0.2, 0.5, 0.1), SIMD3(1, 1, 1), SIMD3(0.01, 0, 0.4)] {
      let back = HLG.display(scene: HLG.scene(display: rgb))
      #expect((back - rgb).max() < 1e-12 && (rgb - back).max() < 1e-12)
    }
    #expect(HLG.scene(display: SIMD3(0, 0, 0)) == SIMD3(0, 0, 0))
  }

  @Test func srgb() {
    #expect(abs(SRGB.signal(linear: 0.18) - 0.461356) < 1e-6)
    for i in -200...200 {
      let v = Double(i) / 100
      #expect(abs(SRGB.linear(signal: SRGB.signal(linear: v)) - v) < 1e-9)
    }
  }
}
