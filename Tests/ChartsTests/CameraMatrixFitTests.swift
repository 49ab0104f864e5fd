import ImageCore
import SyntheticRaw
import Testing

@testable import Charts

@Suite("Camera matrix fit")
struct CameraMatrixFitTests {
  private static let toCamera = Matrix3([0.8, -0.2, -0.1, -0.4, 1.25, 0.15, -0.05, 0.15, 0.65])
  private let reference = ColorChecker.after2014

  private func patches(metamerism: Float = 0, scale: Double = 0.6) -> [CameraMatrixFit.Patch] {
    let camera = reference.xyz.enumerated().map { index, xyz in
      var value = Self.toCamera * xyz * scale
      for c in 0..<3 {
        value[c] *= 1 + Double(metamerism * IntegerNoise.normal(UInt64(3 * index + c), seed: 5))
      }
      return value
    }
    return CameraMatrixFit.patches(camera, reference)
  }

  private func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  @Test("finds the matrix of a camera that has one, and its white")
  func exact() throws {
    let fit = try #require(CameraMatrixFit(patches()))
    let white = Self.toCamera * Chromaticity.d50.xyz * 0.6
    for c in 0..<3 { #expect(abs(fit.neutral[c] / white[c] - 1) < 1e-6) }
    #expect(patches().allSatisfy { fit.difference($0).value < 1e-4 })
    #expect(CameraMatrixFit.leaveOneOut(patches()).allSatisfy { $0 < 1e-3 })
  }

  @Test("keeps white", arguments: [Float(0), 0.02, 0.08])
  func white(metamerism: Float) throws {
    let fit = try #require(CameraMatrixFit(patches(metamerism: metamerism)))
    let white = fit.xyz(fit.neutral)
    for c in 0..<3 { #expect(abs(white[c] - Chromaticity.d50.xyz[c]) < 1e-12) }
  }

  @Test("does not depend on how bright the chart is")
  func scale() throws {
    let one = try #require(CameraMatrixFit(patches(metamerism: 0.03, scale: 1)))
    let other = try #require(CameraMatrixFit(patches(metamerism: 0.03, scale: 0.01)))
    for r in 0..<3 {
      for c in 0..<3 { #expect(abs(one.forward[r, c] - other.forward[r, c]) < 1e-4) }
    }
  }

  @Test("is about as good as any matrix found by trying, for a camera that no matrix describes")
  func nearBest() throws {
    let patches = patches(metamerism: 0.03)
    let fit = try #require(CameraMatrixFit(patches))
    func cost(_ matrix: Matrix3) -> Double {
      mean(
        patches.map {
          ColorDifference(LabColor($0.xyz), LabColor(matrix * $0.camera)).value
        })
    }
    // A search over all nine numbers, white preserved or not, independent of the fit's method.
    var best = fit.forward * Matrix3(diagonal: 1 / fit.neutral)
    let found = cost(best)
    var (smallest, step) = (found, 0.02)
    var draw: UInt64 = 0
    for round in 0..<6000 {
      if round % 1000 == 999 { step /= 3 }
      var next = best
      for r in 0..<3 {
        for c in 0..<3 {
          draw += 1
          next.rows[r][c] += step * Double(IntegerNoise.normal(draw, seed: 11))
        }
      }
      let value = cost(next)
      if value < smallest { (best, smallest) = (next, value) }
    }
    #expect(found > 0.5)
    #expect(found < 1.12 * smallest)
  }

  @Test("is not led astray by one patch that shines")
  func robust() throws {
    var patches = patches(metamerism: 0.005)
    let clean = try #require(CameraMatrixFit(patches))
    patches[10].camera += SIMD3(repeating: 0.15)
    let fit = try #require(CameraMatrixFit(patches))
    let others = patches.indices.filter { $0 != 10 }
    let before = mean(others.map { clean.difference(patches[$0]).value })
    #expect(mean(others.map { fit.difference(patches[$0]).value }) < before + 0.3)
    #expect(fit.difference(patches[10]).value > 5)
  }

  @Test("refuses values from which no matrix follows")
  func refusal() {
    let gray = reference.xyz.map { SIMD3<Double>(repeating: $0.y) }
    #expect(CameraMatrixFit(CameraMatrixFit.patches(gray, reference)) == nil)
    let black = reference.xyz.map { _ in SIMD3<Double>() }
    #expect(CameraMatrixFit(CameraMatrixFit.patches(black, reference)) == nil)
    #expect(CameraMatrixFit([]) == nil)
  }
}
