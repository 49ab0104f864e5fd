import ImageCore
import Testing

@testable import SyntheticRaw

@Suite("Synthetic scene")
struct SyntheticSceneTests {
  private static let size = PixelSize(width: 300, height: 200)

  /// The column and row of a point given in picture heights from the middle of the top edge.
  private func position(_ u: Float, _ v: Float, in size: PixelSize) -> (Float, Float) {
    let height = Float(size.height)
    return (u * height + Float(size.width) / 2, v * height)
  }

  @Test("shows the chart's published colors at any resolution", arguments: [200, 400, 801])
  func chart(height: Int) {
    let size = PixelSize(width: height * 3 / 2, height: height)
    let scene = SyntheticScene(size: size)
    for i in 0..<24 {
      let u = SyntheticScene.chartOrigin.x + (Float(i % 6) + 0.5) * SyntheticScene.patchPitch
      let v = SyntheticScene.chartOrigin.y + (Float(i / 6) + 0.5) * SyntheticScene.patchPitch
      let (x, y) = position(u, v, in: size)
      #expect(scene.light(x: x, y: y) == ColorChart.patches[i])
    }
  }

  @Test("doubles each step of the ramp from 1/256 to 8")
  func ramp() {
    let scene = SyntheticScene(size: Self.size)
    for i in 0..<12 {
      let u = SyntheticScene.rampOrigin.x + (Float(i) + 0.5) * SyntheticScene.rampPitch
      let v = SyntheticScene.rampOrigin.y + 0.5 * SyntheticScene.rampPitch
      let (x, y) = position(u, v, in: Self.size)
      #expect(scene.light(x: x, y: y) == SIMD3(repeating: Float(1 << i) / 256))
    }
  }

  @Test("has a sun of sixteen times white and no negative or infinite values")
  func range() {
    let scene = SyntheticScene(size: Self.size)
    var peak: Float = 0
    var darkest = Float.infinity
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let color = scene.pixel(x: x, y: y, samples: 1)
        #expect(color.min() >= 0 && color.max().isFinite)
        peak = max(peak, color.max())
        darkest = min(darkest, color.max())
      }
    }
    #expect(peak == 16)
    #expect(darkest < 0.002)
  }

  @Test("has lamps of four times white")
  func lamps() {
    let scene = SyntheticScene(size: Self.size)
    for lamp in SyntheticScene.lamps {
      let (x, y) = position(lamp.x, lamp.y, in: Self.size)
      #expect(abs(scene.light(x: x, y: y).max() - 4) < 0.3)
    }
  }

  @Test("draws by sums, products and roots alone: these bits hold on every machine")
  func bits() {
    let scene = SyntheticScene(size: Self.size)
    var hash: UInt64 = 0
    for y in stride(from: 0, to: 200, by: 7) {
      for x in stride(from: 0, to: 300, by: 7) {
        let color = scene.pixel(x: x, y: y)
        for c in 0..<3 { hash = IntegerNoise.bits(UInt64(color[c].bitPattern), seed: hash) }
      }
    }
    #expect(hash == 0xE726_24F0_792D_65EB)
  }

  @Test("knows its sine to 0.002")
  func sine() {
    // sin(30°), sin(45°), sin(60°), sin(90°) and their mirror images.
    for (turns, value) in [
      (0.0, 0.0), (1 / 12, 0.5), (0.125, 0.70711), (1 / 6, 0.86603), (0.25, 1),
    ]
      as [(Float, Float)]
    {
      #expect(abs(SceneShading.sine(turns: turns) - value) < 0.002)
      #expect(abs(SceneShading.sine(turns: turns + 0.5) + value) < 0.002)
      #expect(abs(SceneShading.sine(turns: turns - 3) - value) < 0.002)
    }
  }
}

@Suite("Color chart")
struct ColorChartTests {
  /// colour-science 0.4: xyY → XYZ → ITU-R BT.2020, Bradford, no encoding. Its D50 has more digits
  /// (0.34570, 0.35854), which moves blue by 0.0003.
  @Test("agrees with an independent conversion to BT.2020")
  func published() {
    let expected: [Int: SIMD3<Float>] = [
      0: SIMD3(0.13805, 0.08810, 0.06089), 4: SIMD3(0.22893, 0.21874, 0.41196),
      12: SIMD3(0.03989, 0.05066, 0.26644), 13: SIMD3(0.13696, 0.28064, 0.08892),
      14: SIMD3(0.29789, 0.05989, 0.04675), 15: SIMD3(0.72513, 0.58128, 0.07010),
      17: SIMD3(0.07514, 0.22908, 0.37983), 18: SIMD3(0.91218, 0.91463, 0.89613),
      21: SIMD3(0.19078, 0.19169, 0.19301), 23: SIMD3(0.03075, 0.03114, 0.03263),
    ]
    for (i, value) in expected {
      let difference = ColorChart.patches[i] - value
      #expect(max(difference.max(), -difference.min()) < 3e-4)
    }
  }
}
