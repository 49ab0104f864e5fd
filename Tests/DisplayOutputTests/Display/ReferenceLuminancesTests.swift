import Foundation
import ImageCore
import Testing

@testable import DisplayOutput
@testable import HDRRender

/// Published levels: ISO 22028-5, sRGB, ITU-R BT.2408, SMPTE ST 2084.
@Suite struct ReferenceLuminancesTests {
  @Test func constants() {
    let (sdr, pq, hlg) = (
      ReferenceLuminances.standardStill, ReferenceLuminances.pqStill, ReferenceLuminances.hlgStill
    )
    #expect(sdr.blackNits == 0.2 && sdr.whiteNits == 80 && sdr.headroom == 1)
    #expect(pq.blackNits == 0.0005 && pq.whiteNits == 203 && pq.peakNits == 10_000)
    #expect(hlg.blackNits == 0.0005 && hlg.whiteNits == 203 && hlg.peakNits == 1000)
    #expect(
      ReferenceLuminances.standardVideo.peakNits == 100
        && ReferenceLuminances.pqVideo.peakNits == 10_000)
  }

  /// White is 1.0 in each, so that ranges meet at white and not at cd/m².
  @Test func whiteIsOneInEach() {
    for levels in [
      ReferenceLuminances.standardStill, .pqStill, .hlgStill, .standardVideo, .pqVideo,
    ] {
      #expect(levels.linear(nits: levels.whiteNits) == 1)
      #expect(abs(levels.nits(linear: levels.linear(nits: 57)) - 57) < 1e-12)
    }
    #expect(SRGB.linear(signal: 1) == 1)
  }

  /// BT.2408: 1000/203 is 4.926, 2.300448 stops; 10,000/203 is 49.261.
  @Test func headrooms() {
    #expect(abs(ReferenceLuminances.hlgStill.headroom - 4.926108) < 1e-6)
    #expect(abs(log2(ReferenceLuminances.hlgStill.headroom) - 2.300448) < 1e-6)
    #expect(abs(ReferenceLuminances.pqStill.headroom - 49.261) < 5e-4)
    #expect(abs(Double(ReferenceWhite.hlgHeadroom) - 4.926108) < 1e-6)
  }

  /// Reference white, 203 cd/m², is 75 % of HLG and 58 % of PQ; 18 % gray, 26 cd/m², 38 % of both.
  @Test func signalsOfWhiteAndGray() throws {
    let display = try HLGDisplay()
    for (nits, signal) in [(203.0, (0.75, 0.58)), (26, (0.38, 0.38))] {
      #expect(abs(display.signal(nits: SIMD3(repeating: nits)).y - signal.0) < 0.005)
      #expect(abs(PQ.signal(nits: nits) - signal.1) < 0.005)
    }
  }
}
