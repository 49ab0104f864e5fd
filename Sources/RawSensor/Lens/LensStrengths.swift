package import RawData

/// Strengths of the corrections of a lens, each 0 (none) … 1 (full).
///
/// Positions are blended: a corrected pixel is read at p + distortion · (g − p) + lateralColor · (c
/// − g), with the positions p of its own, g of green and c of its color. Vignetting is scaled in
/// the polynomial that describes it: the gain minus 1, or the loss of illumination. So strengths
/// are independent, the effect is monotone, and 1 is bit-identical to the correction. A DNG's
/// GainMap, which includes the shading of its sensor, is not scaled.
package struct LensStrengths: Sendable, Hashable {
  package var distortion: Float = 1
  package var lateralColor: Float = 1
  package var vignetting: Float = 1

  package static let amounts: ClosedRange<Float> = 0...1

  /// All in full.
  package init() {}

  /// `actions` with these strengths.
  package func applied(to actions: [Opcode.Action]) -> [Opcode.Action] {
    guard self != LensStrengths() else { return actions }
    return actions.compactMap { action in
      switch action {
      case .warp(let warp):
        let scaled = warp.scaled(distortion: Double(distortion), lateral: Double(lateralColor))
        return scaled.isIdentity ? nil : .warp(scaled)
      case .vignette(let vignette):
        return vignetting == 0 ? nil : .vignette(vignette.scaled(by: Double(vignetting)))
      default: return action
      }
    }
  }
}
