import CKernels
import Foundation
import Testing

@testable import RawSensor

@Suite struct CosineTransformTests {
  @Test func itIsTheFormulaAndItsInverse() {
    let samples = (0..<8).map { Float(($0 * 5 + 3) % 8) - 3 }
    var made = samples.map { SIMD8<Float>(repeating: $0) }
    made.withUnsafeMutableBytes { ck_forwardCosines(OpaquePointer($0.baseAddress)) }
    for k in 0..<8 {
      var sum = 0.0
      for (i, sample) in samples.enumerated() {
        sum += Double(sample) * cos(.pi * (Double(i) + 0.5) * Double(k) / 8)
      }
      let norm = (k == 0 ? 1.0 / 8 : 1.0 / 4).squareRoot()
      let expected = sum * norm * 8.0.squareRoot() * Double(CosineTransform.scale[k])
      #expect(abs(Double(made[k][0]) - expected) < 1e-5, "coefficient \(k)")
    }
    var back = made
    back.withUnsafeMutableBytes { ck_inverseCosines(OpaquePointer($0.baseAddress)) }
    for i in 0..<8 {
      #expect(abs(back[i][0] / 8 - samples[i]) < 1e-5, "sample \(i)")
    }
  }
}
