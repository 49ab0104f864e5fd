import RawDecode

/// The noise of a merged picture as lines, variance = S · x + O, which is what later stages know.
///
/// The variance of the estimate has a step wherever a frame saturates, so no line fits everywhere.
/// `everywhere` is right at black and at a middle gray of the reference, where noise is visible;
/// `bright` is the noise of the shortest frame, which is right where only it is unsaturated and too
/// large elsewhere. Units: linear values of the merged picture, before white balance.
struct MergedNoise: Sendable {
  let everywhere: [(scale: Double, offset: Double)]
  let bright: [(scale: Double, offset: Double)]

  /// A middle gray, as a fraction of the reference's saturation.
  private static let gray: Float = 0.1

  /// Of `estimate`; `reference` is the exposure of the reference as a multiple of the shortest.
  init(_ estimate: RadianceEstimate, reference: Float) {
    let shortest = estimate.exposures[0].noise
    let value = Self.gray / reference
    everywhere = (0..<3).map { c in
      let black = estimate.variance(of: 0, channel: c)
      let gray = estimate.variance(of: value, channel: c)
      return (Double(max(gray - black, 0) / value), Double(black))
    }
    bright = (0..<3).map { (Double(shortest.shot[$0]), Double(shortest.read[$0])) }
  }
}
