import Foundation
import Testing

@testable import ImageCore

@Suite struct BT709Tests {
  @Test func publishedValues() {
    #expect(abs(BT709.signal(linear: 0.018) - 0.081) < 3e-4)
    #expect(abs(BT709.linear(signal: 0.25) - 0.0781539) < 1e-7)
    #expect(abs(BT709.linear(signal: 0.75) - 0.5635222) < 1e-7)
    #expect(BT709.signal(linear: 1) == 1)
  }

  @Test func bothDirectionsUndoEachOther() {
    for step in 0...1000 {
      let signal = Double(step) / 1000
      #expect(abs(BT709.signal(linear: BT709.linear(signal: signal)) - signal) < 5e-4)
    }
  }

  /// The exact constants of BT.2020 let both parts meet in value and slope; those for 12 bits are
  /// near.
  @Test func exactConstantsMeet() {
    let beta = 0.018053968510807
    let (below, above) = (BT2020.exactSignal(linear: beta - 1e-9), BT2020.exactSignal(linear: beta))
    #expect(abs(above - below) < 1e-8)
    for step in 0...1000 {
      let linear = Double(step) / 1000
      #expect(abs(BT2020.exactSignal(linear: linear) - BT2020.signal(linear: linear)) < 2e-4)
    }
  }

  /// The stored c of hybrid log-gamma follows from its formula.
  @Test func constantsOfHLGFollowTheirFormula() {
    #expect(HLG.c == 0.5 - HLG.a * log(4 * HLG.a))
  }
}
