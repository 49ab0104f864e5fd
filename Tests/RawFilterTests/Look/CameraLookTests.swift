import Foundation
import HDRRender
import ImageCore
import Testing

@testable import RawFilter

@Suite struct CameraLookTests {
  /// A strong look whose coefficients vary as in fits.
  static let strong: CameraLook = {
    var look = CameraLook()
    for i in look.tone.indices { look.tone[i] = 0.05 * sin(Double(i)) }
    for i in 0..<CameraLook.nodes {
      look.lightness[i] = 0.05 * sin(Double(i / 54))
      look.stretch[i] = 0.25 * cos(Double(i / 54) + Double(i % 6) / 6)
      look.turn[i] = 0.2 * sin(Double(i / 6 % 9))
    }
    return look
  }()

  @Test func splinesAreMeans() {
    for step in 0...200 {
      let (first, w) = QuadraticSpline.terms(Double(step) / 200, count: 10)
      #expect(abs(w.sum() - 1) < 1e-12 && w.min() >= 0 && (0...7).contains(first))
    }
  }

  @Test func nothingIsTheIdentity() throws {
    let look = CameraLook()
    for lab in [SIMD3(0.0, 0, 0), SIMD3(0.4, 0.1, -0.2), SIMD3(1, 0, 0)] {
      #expect((look(lab) - lab).max() < 1e-15 && look.isMonotone)
    }
    let table = try #require(look.table(side: 9))
    for index in 0..<729 {
      let signal = SIMD3(Float(index % 9), Float(index / 9 % 9), Float(index / 81)) / 8
      for channel in 0..<3 {
        #expect(abs(table.values[3 * index + channel] - signal[channel]) < 1e-5)
      }
    }
  }

  /// Gray stays gray except for the cast, black stays black and white stays white.
  @Test func graysHaveOneTint() throws {
    for step in 0...40 {
      let gray = Self.strong(SIMD3(Double(step) / 40, 0, 0))
      #expect(gray.y == 0 && gray.z == 0)
    }
    var look = Self.strong
    look.cast = SIMD2(0.02, 0.03)
    #expect(look(SIMD3(0, 0, 0)) == SIMD3(0, 0, 0))
    let white = look(SIMD3(1, 0, 0))
    #expect(abs(white.y) < 1e-12 && abs(white.z) < 1e-12)
    let table = try #require(look.table(side: 9))
    #expect(table.values.prefix(3).allSatisfy { $0 == 0 })
    #expect(table.values.suffix(3).allSatisfy { abs($0 - 1) < 1e-5 })
  }

  /// What is at white in one channel is at white behind it, so that nothing above is clipped and
  /// headroom stays; nothing below comes above.
  @Test func nothingIsClipped() throws {
    let side = 17
    let table = try #require(Self.strong.table(side: side))
    for index in 0..<side * side * side {
      let signal = SIMD3(index % side, index / side % side, index / side / side)
      let out = (0..<3).map { table.values[3 * index + $0] }
      let top = try #require(out.max())
      #expect(out.allSatisfy { $0 >= 0 && $0 <= 1 })
      if signal.max() == side - 1 { #expect(top > 0.9999) } else { #expect(top < 1) }
    }
  }

  @Test func monotonyIsSeen() {
    var look = CameraLook()
    for i in look.tone.indices { look.tone[i] = 0.2 * cos(Double(i) * 2) }
    #expect(!look.isMonotone && look.weakened(0.5).tone == look.tone)
  }
}
