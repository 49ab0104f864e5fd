import CKernels
import ImageCore
import RawData

/// The bias of the plain inverse of ``AnscombeTransform`` on denoised values, for one channel: how
/// far the mean of noisy linear values lies above the linear value of their mean on the scale.
///
/// On a square root scale this is a quarter of the shot noise times the variance (Mäkitalo and Foi,
/// 2013), except near black, where the scale becomes linear, the demosaic treats noise differently
/// and noise is not Gaussian. So it is measured on simulated flat areas with this noise, after the
/// sensor stages. Formula: bias(E) = (mean linear value − √b·E) · 4/a − max(E, 0)², linear between
/// the knots, constant above, falling to 0 at −4.
struct InverseBias: Sendable {
  /// Means on the scale at which flat areas are simulated.
  static let knots: [Float] = [0, 0.5, 1, 2, 3.5, 6, 10]
  static let side = 128
  private static let border = 8

  /// Means of a simulated flat area.
  struct Sample {
    var linear = SIMD3<Double>()
    /// Means of the values on the scale.
    var scaled = SIMD3<Double>()

    init(_ picture: Image<CameraRGB>, _ scale: AnscombeTransform) {
      let border = InverseBias.border
      var count = 0.0
      for y in border..<picture.size.height - border {
        for x in border..<picture.size.width - border {
          let rgb = picture[x, y]
          let y = scale.forward(SIMD8(rgb.x, rgb.y, rgb.z, 0, 0, 0, 0, 0))
          linear += SIMD3<Double>(rgb)
          scaled += SIMD3(Double(y[0]), Double(y[1]), Double(y[2]))
          count += 1
        }
      }
      linear /= count
      scaled /= count
    }
  }

  /// For each segment the mean at which it begins, one over its length, and the bias that it adds.
  private var segments: [SIMD3<Float>] = []
  /// The mean from which the bias is constant.
  private let end: Float
  private let last: Float

  /// `samples`: one for each of ``knots``; `unit`: the ratio of a pixel's variance to theirs.
  init(_ samples: [Sample], channel: Int, _ scale: AnscombeTransform, unit: Float) {
    var (start, height): (Float, Float) = (-4, 0)
    for sample in samples {
      let mean = Float(sample.scaled[channel])
      let above = max(sample.scaled[channel], 0)
      let rest = sample.linear[channel] - Double(scale.rootRead) * sample.scaled[channel]
      let bias = scale.shot > 0 ? Float(rest * 4 / Double(scale.shot) - above * above) * unit : 0
      guard mean > start else { continue }
      segments.append(SIMD3(start, 1 / (mean - start), bias - height))
      (start, height) = (mean, bias)
    }
    (end, last) = (start, height)
  }

  /// Calls `body` with the biases of three channels in kernel form.
  static func withKernels<Result>(
    _ biases: [InverseBias], _ body: ((ck_inverseBias, ck_inverseBias, ck_inverseBias)) -> Result
  ) -> Result {
    biases[0].withKernel { red in
      biases[1].withKernel { green in biases[2].withKernel { body((red, green, $0)) } }
    }
  }

  private func withKernel<Result>(_ body: (ck_inverseBias) -> Result) -> Result {
    segments.withUnsafeBytes {
      body(
        ck_inverseBias(
          segments: $0.assumingMemoryBound(to: Float.self).baseAddress,
          count: Int64(segments.count),
          end: end, last: last))
    }
  }
}
