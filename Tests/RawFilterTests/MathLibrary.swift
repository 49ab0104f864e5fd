import Containers
import Foundation

/// The mathematical functions of the C library, which tables and measurements depend on: the last
/// bit of their results is the library's own, so pixels may differ in theirs between libraries,
/// between versions of one, and between the instructions that one chooses.
enum MathLibrary {
  /// A digest of their results: equal ones make equal pixels.
  static let digest: String = {
    var sum = MD5()
    for step in 0..<4096 {
      let x = (Double(step) + 0.5) / 512
      let y = Float(x)
      let doubles: [Double] = [
        exp(x), exp2(x), log(x), log2(x), pow(x, 2.4), pow(x, 1 / 2.4), cbrt(x), sin(x), cos(x),
        atan2(x, 3), erf(x / 8),
      ]
      let floats: [Float] = [exp(y), exp2(y), log(y), log2(y), pow(y, 0.75), sin(y), cos(y)]
      doubles.withUnsafeBytes { sum.add($0) }
      floats.withUnsafeBytes { sum.add($0) }
    }
    return MD5.text(sum.digest())
  }()
}
