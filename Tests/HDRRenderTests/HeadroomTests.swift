import Foundation
import Testing

@testable import HDRRender

@Suite struct HeadroomTests {
  @Test(arguments: [Float(1.2), 2, 5, 16]) func amountsAreFractionsOfStops(headroom: Float) {
    for amount in [Float(0), 0.1, 0.5, 0.9, 1] {
      let brightest = Headroom.brightest(of: Double(headroom), amount: Double(amount))
      #expect(abs(log2(brightest) - Double(amount) * log2(Double(headroom))) < 1e-12)
      let again = Headroom.amount(of: headroom, reaching: Float(brightest))
      #expect(abs(again - amount) < 1e-6)
    }
  }

  @Test func whatHasNoHeadroomIsOpen() {
    #expect(Headroom.amount(of: 1, reaching: 1) == 1)
    #expect(Headroom.brightest(of: 1, amount: 1) == 1)
  }
}
