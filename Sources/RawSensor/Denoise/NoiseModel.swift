package import ImageCore
package import RawData

/// The noise of a picture: a balanced value x in channel c has the variance `shot[c] · max(x, 0) +
/// read[c]`.
///
/// Source: Foi, Trimeche, Katkovnik, Egiazarian, "Practical Poissonian-Gaussian noise modeling and
/// fitting for single-image raw-data" (2008); DNG 1.7.1, NoiseProfile. Units: balanced linear
/// values, 1.0 = where the first channel of a neutral saturates; of single photosites, or of pixels
/// for files that are already demosaiced. A gain g of the white balance makes `g · a` of a sensor's
/// shot noise a and `g² · b` of its read noise b.
package struct NoiseModel: Sendable, Hashable {
  /// Variance per unit of the linear value.
  package let shot: SIMD3<Float>
  /// Variance at black.
  package let read: SIMD3<Float>
  /// Balanced value at which each channel saturates.
  package let saturation: SIMD3<Float>

  /// The ranges that later stages can work with.
  static let shotRange: ClosedRange<Float> = 0...0.25
  static let readRange: ClosedRange<Float> = 1e-12...0.25

  /// A model of balanced values; numbers outside the ranges are clamped, NaN to the lower end.
  package init(shot: SIMD3<Float>, read: SIMD3<Float>, saturation: SIMD3<Float>) {
    self.shot = Self.clamped(shot, Self.shotRange)
    self.read = Self.clamped(read, Self.readRange)
    self.saturation = Self.clamped(saturation, 1e-3...1e6)
  }

  /// The model of a sensor whose linear value x of 0…1 has the variance `shot · x + read` in every
  /// channel, after the gains `balance`.
  package init(shot: Double, read: Double, balance: SIMD4<Float>) {
    let gain = SIMD3<Float>(balance.x, balance.y, balance.z)
    let squared: SIMD3<Float> = gain * gain
    self.init(shot: gain * Float(shot), read: squared * Float(read), saturation: gain)
  }

  /// The noise of the same values times `gain`.
  package func amplified(by gain: Float) -> NoiseModel {
    NoiseModel(shot: shot * gain, read: read * (gain * gain), saturation: saturation * gain)
  }

  /// The NoiseProfile of a DNG: one pair for all channels or one for each, of linear values before
  /// white balance. Nil when it has another number of pairs or is not usable.
  package init?(profile: [(scale: Double, offset: Double)], balance: SIMD4<Float>) {
    guard !profile.isEmpty, profile.count != 2,
      profile.allSatisfy({ $0.scale.isFinite && $0.offset.isFinite }),
      profile.contains(where: { $0.scale > 0 || $0.offset > 0 })
    else { return nil }
    let pairs = (0..<3).map { profile[min($0, profile.count - 1)] }
    let gain = SIMD3(balance.x, balance.y, balance.z)
    let shot = SIMD3<Float>(SIMD3(pairs[0].scale, pairs[1].scale, pairs[2].scale))
    let read = SIMD3<Float>(SIMD3(pairs[0].offset, pairs[1].offset, pairs[2].offset))
    self.init(shot: shot * gain, read: read * gain * gain, saturation: gain)
  }

  /// Shot and read noise of four channels: the fourth as the second, by its own gain.
  func channels(balance: SIMD4<Float>) -> (shot: SIMD4<Float>, read: SIMD4<Float>) {
    let gain = balance.w / max(balance.y, .leastNormalMagnitude)
    return (SIMD4(shot, shot.y * gain), SIMD4(read, read.y * gain * gain))
  }

  /// Variance of each channel at the balanced value `x`.
  package func variance(at x: Float) -> SIMD3<Float> { shot * max(x, 0) + read }

  private static func clamped(
    _ value: SIMD3<Float>, _ range: ClosedRange<Float>
  ) -> SIMD3<Float> {
    func one(_ x: Float) -> Float {
      x == x ? min(max(x, range.lowerBound), range.upperBound) : range.lowerBound
    }
    return SIMD3(one(value.x), one(value.y), one(value.z))
  }
}

extension NoiseModel {
  /// The noise of a picture after the gains `balance`: from the file's profile, else estimated from
  /// the picture and limited to what its ISO speed allows, else none.
  package init(
    _ data: SensorData, profile: [(scale: Double, offset: Double)], iso: Double?,
    balance: SIMD4<Float>, workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    if let declared = NoiseModel(profile: profile, balance: balance) {
      self = declared
    } else {
      try self.init(estimating: data, iso: iso, balance: balance, workers: workers)
    }
  }

  /// The noise estimated from the picture.
  package init(
    estimating data: SensorData, iso: Double?, balance: SIMD4<Float>,
    workers: Int = Parallel.defaultWorkers
  ) throws(PixelError) {
    var noise = (shot: 0.0, read: 0.0)
    if let estimate = try NoiseEstimate(data, workers: workers) {
      noise = (estimate.shot, estimate.read)
      if let prior = NoisePrior(iso: iso) {
        noise = prior.limited(shot: estimate.shot, read: estimate.read)
      }
    }
    self.init(shot: noise.shot, read: noise.read, balance: balance)
  }
}
