package import RawData

/// How much of the corrections of a lens is done, each 0 (none) … 1 (all).
///
/// Positions are mixed: a corrected pixel is read at p + distortion · (g − p) + lateralColor · (c −
/// g), p its own position, g that of green and c that of its color. Vignetting is scaled as the
/// polynomial that describes it: the gain minus 1, or the light that is missing. So each strength
/// acts by itself, the effect is monotone, and 1 is the correction bit for bit. A DNG's GainMap,
/// which holds the shading of its sensor, too, is not scaled.
package struct LensStrengths: Sendable, Hashable {
  package var distortion: Float = 1
  package var lateralColor: Float = 1
  package var vignetting: Float = 1

  package static let amounts: ClosedRange<Float> = 0...1

  /// All.
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
