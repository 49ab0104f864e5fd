import Foundation
import Testing

@testable import Containers

@Suite struct StoredFractionTests {
  @Test func simpleNumbersHaveSimpleFractions() {
    #expect(StoredFraction.unsigned(1.0 / 64) == (1, 64))
    #expect(StoredFraction.unsigned(0) == (0, 1))
    #expect(StoredFraction.unsigned(3) == (3, 1))
    #expect(StoredFraction.signed(-0.3) == (-3, 10))
    #expect(StoredFraction.signed(2.25) == (9, 4))
  }

  @Test func everyNumberComesBackNearly() {
    var seed: UInt64 = 1
    var exact = 0
    for _ in 0..<4000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = (Double(seed >> 11) / 0x1p53 - 0.5) * 24
      let (n, d) = StoredFraction.signed(value)
      let back = Double(n) / Double(d)
      #expect(abs(back - value) < 4e-15 * max(abs(value), 1))
      if back == value { exact += 1 }
      // Most files hold floats, which come back as such.
      let (fn, fd) = StoredFraction.signed(Double(Float(value)))
      #expect(Float(Double(fn) / Double(fd)) == Float(value))
    }
    #expect(exact > 3000)
  }

  @Test func numbersBeyond32BitsAreHeldWithin() {
    #expect(StoredFraction.unsigned(1e20) == (UInt32.max, 1))
    #expect(StoredFraction.unsigned(.infinity) == (UInt32.max, 1))
    #expect(StoredFraction.signed(-1e20) == (-Int32.max, 1))
    #expect(StoredFraction.unsigned(1e-20) == (0, 1))
    #expect(StoredFraction.unsigned(.nan) == (0, 1))
    #expect(StoredFraction.unsigned(2.5e-10) == (1, 4_000_000_000))
  }
}
