import Foundation
import Testing

@testable import ImageCore

@Suite struct AppleGainMapTests {
  @Test func headroomsAreThoseOfTheFormula() {
    let published: [(Double, Double, Double)] = [
      (0, 0, 3.48220), (0, 0.01, 3.03143), (0.5, 1, 2.82843), (1, 0, 8), (1, 0.01, 4.92458),
      (1, 0.02, 4.91414), (1, 1, 4), (1, 8, 1),
    ]
    for (a, b, headroom) in published {
      let found = AppleGainMap.MakerValues(headroom33: a, gain48: b).headroom ?? 0
      #expect(abs(found - headroom) < 6e-6, "\(a), \(b) gave \(found)")
    }
  }

  @Test func theInverseComesBack() {
    for step in 0...3000 {
      let headroom = exp2(Double(step) / 1000)
      let back = AppleGainMap.MakerValues(headroom: headroom).headroom ?? 0
      #expect(abs(log2(back / headroom)) < 5e-5, "\(headroom) came back as \(back)")
    }
    #expect(AppleGainMap.MakerValues(headroom: 8).headroom == 8)
    #expect(AppleGainMap.MakerValues(headroom: 100).headroom == 8)
    for nothing in [0, -1, Double.nan] {
      #expect(abs((AppleGainMap.MakerValues(headroom: nothing).headroom ?? 0) - 1) < 1e-9)
    }
  }

  @Test func hostileMakerValuesStayInBounds() {
    for a in [-1e300, 0, 1e300, .infinity, .nan] {
      for b in [-1e300, -1, 0, 1e300, -.infinity, .nan] {
        guard let headroom = AppleGainMap.MakerValues(headroom33: a, gain48: b).headroom else {
          #expect(!a.isFinite || !b.isFinite)
          continue
        }
        #expect((1...16).contains(headroom))
      }
    }
  }

  @Test func theDeclaredHeadroomComesFirst() {
    // An iPhone 13 mini's file.
    let maker = AppleGainMap.MakerValues(headroom33: 1.5189, gain48: 0)
    let new = AppleGainMap(version: 131_072, declaredHeadroom: 4.532783)
    #expect(new.headroom(maker: maker) == 4.532783)
    let old = AppleGainMap(version: AppleGainMap.versionWithoutHeadroom)
    #expect(old.headroom(maker: maker) == 8)
    #expect(old.headroom(maker: nil) == nil)
    #expect(AppleGainMap(version: 131_072, declaredHeadroom: .nan).headroom(maker: nil) == nil)
    #expect(AppleGainMap(version: 131_072, declaredHeadroom: 0.5).headroom(maker: nil) == 1)
    #expect(AppleGainMap(headroom: 5).version == 131_072)
  }
}
