import Foundation
import Testing

@testable import Tuning

struct StopBinsTests {
  private let bins = StopBins(stops: -12...6, perStop: 8)

  @Test func eachBinIsAnEighthOfAStop() {
    #expect(bins.count == 144)
    for bin in 0..<bins.count {
      let middle = Float(exp2(-12 + (Double(bin) + 0.5) / 8))
      #expect(bins.bin(middle) == bin)
    }
  }

  @Test func edgesBelongToTheBinAboveThem() {
    for bin in 1..<bins.count {
      let edge = Float(exp2(-12 + Double(bin) / 8))
      #expect(bins.bin(edge) == bin)
      #expect(bins.bin(edge.nextDown) == bin - 1)
    }
  }

  @Test func whatIsOutsideIsInTheFirstAndTheLast() {
    for value in [0, -1, -Float.infinity, .nan, 1e-30, .leastNonzeroMagnitude] as [Float] {
      #expect(bins.bin(value) == 0)
    }
    for value in [64, 1000, .infinity] as [Float] { #expect(bins.bin(value) == 143) }
  }
}
