import Foundation
import HDRRender
import ImageCore
import RawTestSupport
import TestSupport
import Testing

@testable import RawDecode
@testable import RawFilter

@Suite struct LightCurveTests {
  typealias Path = WritableKeyPath<LookSettings, Float> & Sendable

  static let paths: [(name: String, path: any Path)] = [
    ("contrast", \.contrast), ("highlights", \.highlights), ("shadows", \.shadows),
    ("whites", \.whites), ("blacks", \.blacks),
  ]

  /// Scene values from far below black's noise to far above any headroom.
  static let values = (-160...64).map { exp2(Double($0) / 8) }

  private func curve(_ change: (inout LookSettings) -> Void) throws -> LightCurve {
    var look = LookSettings()
    change(&look)
    return try LightCurve(look)
  }

  @Test func neutralIsTheIdentity() throws {
    let neutral = try LightCurve(LookSettings())
    #expect(neutral.isNeutral)
    for x in Self.values { #expect(neutral(x) == x && neutral(-x) == -x) }
    #expect(try LookStage(LookSettings(), peak: 3).light == nil)
  }

  @Test(arguments: paths.indices) func amountsAreChecked(index: Int) {
    let (name, path) = Self.paths[index]
    for amount: Float in [-1.01, 1.01, .nan, .infinity] {
      let error = #expect(throws: RAWError.self) { try curve { $0[keyPath: path] = amount } }
      #expect(error?.message.contains(name) == true)
    }
  }

  /// All combinations of the extremes: the order of values is kept, gray stays, signs stay.
  @Test func risesWithTheValueAtAllExtremes() throws {
    for code in 0..<243 {
      var digits = code
      let curve = try curve { look in
        for (_, path) in Self.paths {
          look[keyPath: path] = Float(digits % 3 - 1)
          digits /= 3
        }
      }
      let shown = Self.values.map { curve($0) }
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "combination \(code)")
      #expect(shown.allSatisfy { $0.isFinite && $0 > 0 })
      #expect(abs(curve(ToneCurve.gray) / ToneCurve.gray - 1) < 1e-12)
      #expect(curve(0) == 0 && curve(-0.3) == -curve(0.3))
    }
  }

  /// Where each acts, which way, and that more of it does more.
  @Test func eachActsOnItsRange() throws {
    let (black, dark, bright, white, lamp) = (0.003, 0.04, 0.5, 1.0, 8.0)
    let acts: [String: (on: [Double], not: [Double])] = [
      "highlights": ([bright, white, lamp], [black, dark]),
      "shadows": ([black, dark], [bright, white, lamp]),
      "whites": ([white, lamp], [black, dark]), "blacks": ([black], [bright, white, lamp]),
    ]
    for (name, path) in Self.paths where name != "contrast" {
      let range = try #require(acts[name])
      let curves = try [-1, -0.5, 0.5, 1].map { amount in
        try curve { $0[keyPath: path] = Float(amount) }
      }
      for x in range.on {
        let shown = [curves[0](x), curves[1](x), x, curves[2](x), curves[3](x)]
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 * 1.05 < $1 }, "\(name) at \(x)")
      }
      for x in range.not {
        #expect(curves.allSatisfy { abs($0(x) / x - 1) < 0.01 }, "\(name) at \(x)")
      }
    }
    let (soft, hard) = (try curve { $0.contrast = -1 }, try curve { $0.contrast = 1 })
    #expect(hard(0.09) < 0.09 && hard(0.36) > 0.36 && soft(0.09) > 0.09 && soft(0.36) < 0.36)
    // What is far from gray moves less.
    #expect(hard(16) / 16 < hard(0.72) / 0.72 && hard(1e-4) / 1e-4 > hard(0.045) / 0.045)
  }

  @Test(arguments: [Float(0.3), 1, 5, 40]) func theTableIsTheCurve(peak: Float) throws {
    let curve = try curve { ($0.contrast, $0.highlights, $0.whites) = (0.7, -1, 0.5) }
    let table = LightTable(curve, peak: peak)
    for x in Self.values.map({ Float($0) }) where x <= peak && x > peak * 0x1p-19 {
      let color = OneColorRow.run(SIMD3(x, x / 2, -x / 4)) { table.apply($0) }
      let gain = Float(curve(Double(x)) / Double(x))
      #expect(abs(color.x / (x * gain) - 1) < 2e-5, "\(x)")
      #expect(color.y == color.x / 2 && color.z == color.x / -4)
    }
  }

  @Test func whatIsNoColorDoesNoHarm() throws {
    let curve = try curve { ($0.shadows, $0.blacks, $0.highlights) = (1, 1, 1) }
    let table = LightTable(curve, peak: 2)
    for color: SIMD3<Float> in [
      SIMD3(.nan, 1, 0), SIMD3(-1, -0.2, -3), SIMD3(0, 0, 0), SIMD3(1e30, 1, 1),
      SIMD3(-0.0, 2e-38, 0),
    ] {
      let out = OneColorRow.run(color) { table.apply($0) }
      #expect(out.x.isFinite && out.y.isFinite && out.z.isFinite, "\(color)")
    }
  }
}
