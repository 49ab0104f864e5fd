import Foundation
import ImageCore
import Testing

@testable import BracketMerge

@Suite struct LuminanceProxyTests {
  private static let size = PixelSize(width: 64, height: 48)

  /// A gray frame of four times the shortest exposure, with the values `value`.
  private func proxy(_ value: (_ x: Int, _ y: Int) -> Float) throws -> LuminanceProxy {
    try LuminanceProxy(gray: Self.size, time: 4, value)
  }

  @Test func cellsAreMeansInUnitsOfTheShortestFrame() throws {
    let proxy = try proxy { x, y in x == 10 && y == 20 ? 0.96 : 0.1 * Float(1 + x % 2) }
    #expect(proxy.size == PixelSize(width: 32, height: 24) && proxy.cell == 2)
    let expected: Float = 0.0375
    for (i, value) in proxy.values.enumerated() where i != 10 * 32 + 5 {
      #expect(abs(value - expected) < 1e-6)
      #expect(proxy.isValid[i])
    }
    // One photosite near saturation spoils its cell alone.
    #expect(!proxy.isValid[10 * 32 + 5] && proxy.isValid.count { !$0 } == 1)
    let noise: Float = 2.5e-5
    #expect(abs(proxy.blackNoise - noise) < 1e-9)
  }

  @Test func evenValuesStayEven() throws {
    let luminance = LogLuminance(try proxy { _, _ in 0.25 }, floor: 0)
    for level in [
      luminance, luminance.halved, luminance.smoothed(margin: 4), luminance.halved.halved,
    ] {
      #expect(level.values.allSatisfy { abs($0 + 4) < 1e-5 })
      #expect(level.weights.allSatisfy { $0 == 1 })
      #expect(level.cell * Double(level.size.width) == 64)
    }
  }

  @Test func slopesStaySlopes() throws {
    // A stop each eight pixels of the proxy.
    let slope = try proxy { x, _ in
      let stops = Float(x / 2) / 8
      return 0.001 * exp2(stops)
    }
    var luminance = LogLuminance(slope, floor: 0)
    let steps: [Float] = [0.125, 0.25]
    for step in steps {
      let smooth = luminance.smoothed(margin: 2)
      let width = luminance.size.width
      for x in 3..<width - 3 {
        let (own, next) = (smooth.values[width + x], smooth.values[width + x + 1])
        #expect(abs(own - luminance.values[width + x]) < 1e-4)
        #expect(abs(next - own - step) < 1e-4)
      }
      luminance = luminance.halved
    }
  }

  @Test func whatDoesNotCountSpreads() throws {
    let luminance = LogLuminance(try proxy { x, y in x == 32 && y == 24 ? 1 : 0.1 }, floor: 0)
    let smooth = luminance.smoothed(margin: 3)
    for y in 0..<24 {
      for x in 0..<32 {
        let isNear = abs(x - 16) <= 3 && abs(y - 12) <= 3
        let expected: Float = isNear ? 0 : 1
        #expect(smooth.weights[y * 32 + x] == expected)
      }
    }
    #expect(luminance.halved.weights.count { $0 == 0 } == 1)
  }
}
