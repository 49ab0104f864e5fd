import ImageCore

/// The radiance at each photosite, estimated from all its exposures.
///
/// Source: inverse-variance weighting by the noise of the sensor, as in Granados et al., "Optimal
/// HDR reconstruction with linear digital cameras" (CVPR 2010), in two steps instead of their
/// iteration. A frame whose exposure is t times that of the shortest has the value x = t · E of the
/// radiance E, with the variance a · x + b. First E₀ = Σ r x / Σ r t, the best estimate where shot
/// noise is the only noise; then E = Σ w x/t / Σ w with w = r t² / (a t E₀ + b). Weights by E₀,
/// which all frames share, are not biased as weights by each frame's own noise are. r falls from 1
/// to 0 smoothly below a frame's saturation, over `fall` of the range and ending `deviations`
/// standard deviations below it, and is always 1 in the shortest. Units: linear values of the
/// shortest frame: 0 black, 1.0 where it saturates. Missing samples are NaN. Where only saturated
/// samples of longer frames remain, the radiance is 1.0: saturated. Known limits: between the start
/// of the fall and saturation, a tenth of a stop, a longer frame has less weight than it could.
struct RadianceEstimate: Sendable {
  /// One frame.
  struct Exposure: Sendable {
    /// Exposure relative to the shortest frame, 1 or more.
    var time: Float
    var noise: FrameNoise
  }

  /// How much a sample counts by its own brightness: 1 up to `begin`, 0 from `end` on.
  struct Fall: Sendable {
    var end: SIMD4<Float>
    /// One over its length.
    var slope: SIMD4<Float>

    var begin: SIMD4<Float> { end - 1 / slope }
  }

  fileprivate static let deviations: Float = 2
  /// Minimum distance of the end of the fall below saturation, and its length, as fractions.
  fileprivate static let minDistance: Float = 0.005
  fileprivate static let fall: Float = 0.04
  /// Frames that are longer by less than this factor are as the shortest.
  fileprivate static let same: Float = 1.01

  /// Whether each exposure of `times` is at least as long as the one before it.
  static func ascend(_ times: [Double]) -> Bool {
    zip(times, times.dropFirst()).allSatisfy { $0 <= $1 * Double(same) }
  }

  let exposures: [Exposure]
  private let channels: SampleChannels
  /// Vectors after which the channels of a row repeat.
  private let cycle: Int
  /// End of the fall, one over its length, a · t and b: for each frame, row of the pattern and
  /// vector of a cycle.
  private let constants: [SIMD8<Float>]

  init(_ exposures: [Exposure], channels: SampleChannels, linearLimit: Float = 1) {
    self.exposures = exposures
    self.channels = channels
    let period = channels.period
    cycle = period / gcd(period, 8)
    var constants: [SIMD8<Float>] = []
    for exposure in exposures {
      let (noise, fall) = (exposure.noise, exposure.fall(linearLimit: linearLimit))
      let values = [fall.end, fall.slope, noise.shot * exposure.time, noise.read]
      for y in 0..<channels.patternHeight {
        for vector in 0..<cycle {
          for value in values {
            var lanes = SIMD8<Float>()
            for i in 0..<8 { lanes[i] = value[channels.channel(vector * 8 + i, y)] }
            constants.append(lanes)
          }
        }
      }
    }
    self.constants = constants
  }

  /// The radiance of row `y` of `count` samples, a multiple of 8. The rows of successive frames are
  /// `frameStride` apart, from `values` on; `trust` has their weights besides noise, 0…1, in the
  /// same layout; nil for 1.
  func estimate(
    row y: Int, count: Int, values: UnsafePointer<Float>, frameStride: Int,
    trust: UnsafePointer<Float>?, into out: UnsafeMutablePointer<Float>
  ) {
    let frames = exposures.count
    let perFrame = channels.patternHeight * cycle * 4
    let first = y % channels.patternHeight * cycle * 4
    withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 2 * frames) { stored in
      constants.withUnsafeBufferPointer { constants in
        exposures.withUnsafeBufferPointer { exposures in
          for x in stride(from: 0, to: count, by: 8) {
            let offset = first + x / 8 % cycle * 4
            var (sum, weight) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            var found = SIMD8<Float>.zero
            for i in 0..<frames {
              let index = i * frameStride + x
              let value = UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
              let constant = offset + i * perFrame
              let isThere = value .== value
              let x = select(isThere, value, .zero)
              var weighting = ((constants[constant] - x) * constants[constant + 1])
                .clamped(lowerBound: .zero, upperBound: .one)
              weighting = weighting * weighting * (3 - 2 * weighting)
              if let trust {
                weighting *= UnsafeRawPointer(trust + index).loadUnaligned(as: SIMD8<Float>.self)
              }
              weighting = select(isThere, weighting, .zero)
              (stored[2 * i], stored[2 * i + 1]) = (x, weighting)
              sum += weighting * x
              weight += weighting * exposures[i].time
              found = select(isThere, .one, found)
            }
            let radiance = select(weight .> 0, sum / weight, .zero)
              .clamped(lowerBound: .zero, upperBound: SIMD8(repeating: .greatestFiniteMagnitude))
            (sum, weight) = (.zero, .zero)
            for i in 0..<frames {
              let constant = offset + i * perFrame
              let time = exposures[i].time
              // The weight times t, which x = t · E takes.
              let own =
                stored[2 * i + 1] * time
                / (constants[constant + 2] * radiance + constants[constant + 3])
              sum += own * stored[2 * i]
              weight += own * time
            }
            UnsafeMutableRawPointer(out + x).storeBytes(
              of: select(weight .> 0, sum / weight, found), as: SIMD8<Float>.self)
          }
        }
      }
    }
  }

  /// The variance of the estimate of `radiance` in channel `channel`.
  func variance(of radiance: Float, channel: Int) -> Float {
    var weight: Float = 0
    for (i, exposure) in exposures.enumerated() {
      let (noise, t) = (exposure.noise, exposure.time)
      guard i == 0 || t * radiance < noise.saturation[channel] else { continue }
      weight += t * t / (noise.shot[channel] * t * max(radiance, 0) + noise.read[channel])
    }
    return 1 / weight
  }
}

extension RadianceEstimate.Exposure {
  /// How samples of this frame fall out near saturation, or above `linearLimit`, up to where it is
  /// linear; in the shortest frame never.
  func fall(linearLimit: Float) -> RadianceEstimate.Fall {
    typealias Estimate = RadianceEstimate
    let full = pointwiseMin(noise.saturation, SIMD4(repeating: max(linearLimit, 0.5)))
    let deviation = (noise.shot * full + noise.read).squareRoot()
    var end =
      full - pointwiseMax(Estimate.deviations * deviation, Estimate.minDistance * full)
    end = pointwiseMax(end, full * 0.5)
    var fall = RadianceEstimate.Fall(end: end, slope: 1 / (Estimate.fall * end))
    for c in 0..<4 where time < Estimate.same || !noise.saturation[c].isFinite {
      (fall.end[c], fall.slope[c]) = (.greatestFiniteMagnitude, 1)
    }
    return fall
  }
}

/// The greatest common divisor.
private func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }
