import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import ImageFilters

/// Exposure, matrix, white point, curve, clamp and kernel: values.
@Suite struct PixelFilterTests {
  private func pixel(_ edit: any ImageFilter, _ value: SIMD3<Float>) throws -> SIMD3<Float> {
    EditScene.image(try edit.applied(to: EditScene.flat(value)))[3, 3]
  }

  @Test func exposureIsAFactor() throws {
    #expect(try pixel(ExposureFilter(stops: 1), SIMD3(6.5, -0.25, 0.1)) == SIMD3(13, -0.5, 0.2))
    #expect(try pixel(ExposureFilter(stops: -2), SIMD3(6, 1, 0)) == SIMD3(1.5, 0.25, 0))
    let dimmed = try ExposureFilter(stops: -2).applied(to: EditScene.flat(SIMD3()))
    #expect(dimmed.info.headroom == 2)
  }

  @Test func saturationKeepsGraysAndLuminance() throws {
    let weights = Primaries.displayP3.luminance
    for amount in [0.0, 0.5, 1.7] {
      let edit = try ColorMatrixFilter.saturation(amount, in: .displayP3)
      let gray = try pixel(edit, SIMD3(repeating: 5))
      #expect(abs(gray.min() - 5) < 1e-5 && abs(gray.max() - 5) < 1e-5)
      let before = SIMD3<Float>(3, 0.5, 0.1)
      let after = try pixel(edit, before)
      let change = (SIMD3<Double>(after - before) * weights).sum()
      #expect(abs(change) < 1e-6)
      if amount == 0 { #expect(after.max() - after.min() < 1e-6) }
    }
  }

  @Test func oneWhiteBecomesTheOther() throws {
    let warm = Chromaticity(x: 0.3457, y: 0.3585)
    let color = SIMD3<Float>(Primaries.displayP3.fromXYZ * (warm.xyz * 3))
    let result = try pixel(WhitePointFilter(from: warm), color)
    for channel in 0..<3 { #expect(abs(result[channel] - 3) < 1e-4) }
  }

  @Test func curveGoesThroughItsPointsAndOnStraight() throws {
    let curve = try ToneCurveFilter([SIMD2(-6, -5), SIMD2(-2, -2), SIMD2(0, 0.5), SIMD2(2, 1.5)])
    for (x, y) in [(-6.0, -5.0), (-2, -2), (0, 0.5), (2, 1.5), (4, 2.5), (-10, -8)] {
      #expect(abs(curve(x) - y) < 1e-6)
      let gray = try pixel(curve, SIMD3(repeating: Float(exp2(x))))
      #expect(abs(log2(Double(gray.x)) - y) < 5e-5)
    }
    var last = -1e9
    for step in -400...200 {
      let y = curve(Double(step) / 40)
      #expect(y >= last)
      last = y
    }
    // Ratios stay, and channels below 0.
    let color = try pixel(curve, SIMD3(4, 2, -0.5))
    #expect(abs(color.y / color.x - 0.5) < 1e-6 && abs(color.z / color.x + 0.125) < 1e-6)
    let black = try pixel(curve, SIMD3(0, -0.001, -1))
    #expect(black.x == 0 && black.z < 0 && black.z.isFinite)
  }

  @Test func flatSegmentsOfACurveDoNotOvershoot() throws {
    let curve = try ToneCurveFilter([SIMD2(-2, -1), SIMD2(-1, 0), SIMD2(1, 0), SIMD2(2, 1)])
    for step in -40...40 { #expect(abs(curve(Double(step) / 40)) < 1e-6) }
  }

  @Test func kernelsAreNotClampedButAlphaIs() throws {
    let kernel = PixelKernel(name: "shift", headroomGrowth: 2) { red, green, blue, alpha, _ in
      for x in 0..<red.count {
        red[x] *= 2
        green[x] -= 3
        blue[x] = 100
        alpha[x] = x == 0 ? 7 : x == 1 ? -1 : x == 2 ? .nan : 0.5
      }
    }
    let result = EditScene.image(kernel.applied(to: EditScene.flat(SIMD3(6.5, 1, 0))))
    #expect(result[0, 0] == SIMD3(13, -2, 100))
    #expect(result[1, 0] == SIMD3(6.5, 1, 0) && result[2, 0] == SIMD3(6.5, 1, 0))
    #expect(result[3, 0] == SIMD3(9.75, -0.5, 50))
    #expect(result.info.headroom == 16)
  }

  @Test func straightenedPicturesTurnClockwise() throws {
    // A bright spot to the right of the center goes down.
    let picture = EditScene.picture(101, 101) { x, y in
      let square = Float((x - 80) * (x - 80) + (y - 50) * (y - 50))
      return SIMD3(repeating: 6 * exp(-square / 30))
    }
    let result = EditScene.image(
      try AffineFilter(
        size: picture.size, toSource: [0, 1, 0, -1, 0, 101]
      ).applied(to: picture))
    #expect(EditScene.isSame(result, OrientFilter(quarterTurns: 1).applied(to: picture)))
    let turned = EditScene.image(try AffineFilter(straightenedBy: 30).applied(to: picture))
    let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
    let (x, y) = (Double(turned.size.width) / 2 + 30 * c, Double(turned.size.height) / 2 + 30 * s)
    #expect(turned[Int(x), Int(y)].x > 5)
    let fine = EditScene.range(
      try AffineFilter(straightenedBy: 30).applied(to: EditScene.flat(SIMD3(4, 4, 4))))
    #expect(abs(fine.lowerBound - 4) < 1e-5 && abs(fine.upperBound - 4) < 1e-5)
  }
}
