import CKernels
import Foundation
import ImageCore

/// Richardson–Lucy deconvolution with a Gaussian point spread function.
///
/// Sources: Richardson 1972, Lucy 1974; acceleration by a fixed momentum after Biggs & Andrews 1997
/// and Nesterov 1983. With y the blurred luminance, h the Gaussian, u the estimate:
///
///     v = max(u + k/(k + 3) · (u − u before), u/4)        k = 0, 1, 2 …
///     u = v · h ∗ (y / (h ∗ v))
///
/// The momentum is the same everywhere, so a pixel depends on its surroundings and not on its tile.
/// Eight rounds restore as much as twenty plain ones. They end early when no pixel changes by more
/// than 0.1 %. Linear luminance, at least `floor`; unbounded above. h is truncated at 2.5 σ. Beyond
/// the region its edges are repeated; pixels `halo` inside are exact to 1·10⁻³. Known failures:
/// noise is amplified like detail, and edges overshoot by up to 12 %; see ``SharpeningMask`` and
/// ``SharpeningLimits``.
struct RichardsonLucy: Sendable {
  static let rounds = 8
  /// Largest relative change at which the iteration ends.
  static let tolerance: Float = 1e-3

  /// Pixels around a region that are needed for exact results inside it, a multiple of four.
  let halo: Int
  private let blur: ck_blur

  /// `sigma`: 0.3…1.5 pixels.
  init(sigma: Float) {
    halo = max(8, (Int((11 * sigma).rounded(.up)) + 3) & ~3)
    let radius = min(max(Int((2.5 * sigma).rounded(.up)), 2), 4)
    let weights = (0...4).map { exp(-Float($0 * $0) / (2 * sigma * sigma)) }
    let used = weights.prefix(radius + 1)
    let sum = 2 * used.reduce(0, +) - weights[0]
    let taps = weights.map { $0 / sum }
    blur = ck_blur(weight: (taps[0], taps[1], taps[2], taps[3], taps[4]), radius: Int32(radius))
  }

  /// The deconvolved luminance of `region`, part of `luminance` and a multiple of eight wide, in
  /// one of the `scratch` planes (four are used).
  func estimate(
    _ luminance: TilePlane, _ region: PixelRect, floor: Float, _ scratch: [TilePlane]
  ) throws(PixelError) -> TilePlane {
    let measured = scratch[0]
    var (estimate, other) = (scratch[1], scratch[2])
    for plane in [measured, estimate, other] { try plane.reshape(region) }
    try scratch[3].reshape(
      PixelRect(x: region.x, y: 0, width: region.width, height: CK_LUCY_SCRATCH))
    for y in region.y..<region.endY {
      let source = luminance.row(y).from(region.x - luminance.rect.x)
      ck_floorRow(
        source.kernel(region.width), floor,
        measured.row(y).kernel(region.width, behind: ck_lucyRound_behind), Int64(region.width))
    }
    var lucy = ck_lucy(
      blur: blur, measured: measured.row(region.y).start, scratch: scratch[3].row(0).start,
      rows: Int64(region.height), step: Int64(measured.stride), count: Int64(region.width))
    var (now, before) = (measured, measured)
    for round in 0..<Self.rounds {
      var change: Float = 0
      ck_lucyRound(
        &lucy, now.row(region.y).start, before.row(region.y).start,
        Float(round) / Float(round + 3), estimate.row(region.y).start, &change)
      (now, before) = (estimate, now)
      (estimate, other) = (other, estimate)
      if change < Self.tolerance { break }
    }
    return now
  }
}
