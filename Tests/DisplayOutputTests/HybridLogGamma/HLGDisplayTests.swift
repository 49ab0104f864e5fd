import Foundation
import ImageCore
import Testing

@testable import DisplayOutput
@testable import HDRRender

@Suite struct HLGDisplayTests {
  @Test func publishedGammas() throws {
    let log: [(Double, Double)] = [
      (100, 0.78), (203, 0.90915), (400, 1.03287), (600, 1.10682), (1000, 1.2), (2000, 1.32643),
      (4000, 1.45287), (10_000, 1.62),
    ]
    for (peak, gamma) in log { #expect(abs(HLGDisplay.gamma(peakNits: peak) - gamma) < 6e-6) }
    let extended: [(Double, Double)] = [
      (100, 0.84591), (203, 0.94193), (400, 1.04412), (600, 1.11043), (1000, 1.2), (2000, 1.33320),
      (4000, 1.48119), (10_000, 1.70232),
    ]
    for (peak, gamma) in extended {
      #expect(abs(HLGDisplay.extendedGamma(peakNits: peak) - gamma) < 6e-6)
    }
    #expect(abs(try HLGDisplay(peakNits: 400).systemGamma - 1.03287) < 6e-6)
    #expect(abs(try HLGDisplay(peakNits: 4000).systemGamma - 1.48119) < 6e-6)
    #expect(abs(try HLGDisplay(surroundNits: 10).systemGamma - 1.2 * 0.98) < 1e-12)
  }

  @Test func publishedLuminances() throws {
    let display = try HLGDisplay()
    let published: [(Double, Double)] = [
      (0.75, 203.15), (0.5, 50.697), (0.38, 26.24), (0.9, 522.11), (1, 1000),
    ]
    for (signal, nits) in published {
      #expect(abs(display.nits(signal: SIMD3(repeating: signal)).y - nits) < 0.006)
    }
    for (nits, signal) in [(26.0, 0.378558), (100, 0.629620), (203, 0.749877)] {
      #expect(abs(display.signal(nits: SIMD3(repeating: nits)).x - signal) < 6e-7)
    }
    let lifted = try HLGDisplay(blackNits: 0.01)
    let displayed = lifted.nits(signal: SIMD3(repeating: 0.212132))
    #expect(abs(displayed.x - 7.3321975) < 2e-5)
    #expect(abs(lifted.nits(signal: SIMD3()).x - 0.01) < 1e-9)
  }

  static let displays: [HLGDisplay] = [100, 203, 400, 1000, 2000, 4000].flatMap { peak in
    [0.0, 0.01, 1].flatMap { black in
      [5.0, 100].compactMap {
        try? HLGDisplay(peakNits: peak, blackNits: black, surroundNits: $0)
      }
    }
  }

  @Test func signalsComeBackAndGraysRise() {
    #expect(Self.displays.count == 36)
    for display in Self.displays {
      var last = -1.0
      for step in 0...100 {
        let signal = Double(step) / 100
        let displayed = display.nits(signal: SIMD3(repeating: signal))
        #expect(displayed.x > last)
        last = displayed.x
        let back = display.signal(nits: displayed)
        #expect(abs(back.x - signal) < 1e-6)
      }
      #expect(abs(last / display.peakNits - 1) < 1e-6)
    }
    let display = Self.displays[0]
    let color = SIMD3(0.3, 0.6, 0.45)
    let back = display.signal(nits: display.nits(signal: color)) - color
    #expect(max(back.max(), -back.min()) < 1e-6)
  }

  @Test func atTheReferenceItIsTheReference() throws {
    let display = try HLGDisplay()
    let signal = SIMD3(0.2, 0.9, 0.6)
    var scene = SIMD3<Double>()
    for i in 0..<3 { scene[i] = HLG.scene(signal: signal[i]) }
    let difference = display.nits(signal: signal) - HLG.display(scene: scene) * 1000
    #expect(max(difference.max(), -difference.min()) < 1e-9)
  }

  @Test func badDisplaysAreRefusedAndBadSignalsAreHeld() throws {
    for (peak, black, surround) in [
      (0.0, 0.0, 5.0), (.nan, 0, 5), (1000, -1, 5), (1000, 1000, 5), (1000, .nan, 5), (1000, 0, 0),
      (1000, 0, .infinity), (1e9, 0, 5),
    ] {
      #expect(throws: OperatorError.self) {
        try HLGDisplay(peakNits: peak, blackNits: black, surroundNits: surround)
      }
    }
    let display = try HLGDisplay(peakNits: 100, blackNits: 0.1)
    for bad in [Double.nan, -1, .infinity, 2] {
      let displayed = display.nits(signal: SIMD3(bad, 0.5, bad))
      let luminance = (displayed * Primaries.bt2020.luminance).sum()
      #expect(displayed.x.isFinite && luminance <= 100.001)
      #expect(display.signal(nits: SIMD3(bad, 1, 1)).y.isFinite)
    }
  }
}
