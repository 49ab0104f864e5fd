import CKernels
import Foundation
import ImageCore

/// Grain as of film.
///
/// Source: value noise on a lattice of random numbers (hashed by the finalizer of MurmurHash3, A.
/// Appleby), in two layers that are rotated against each other to hide the lattice. In each, with
/// smooth weights wᵢ of the four lattice points gᵢ about a pixel,
///
///     n = Σ wᵢ gᵢ / √(Σ wᵢ²)             variance 1 everywhere
///     N = (n₁ + roughness · n₂) / √(1 + roughness²)      n₂ of cells 2.3 times as large
///     rgb' = rgb · 2^(0.3 · amount · N / (1 + (z / 5)²))
///
/// z being the stops of the largest channel above 18 % gray: most in the midtones. Cells are (0.5 +
/// 2.5 · size) / 4000 of the longer side of the picture, so a picture has the same grain at any
/// size; where cells are smaller than pixels, the amount falls as if they were averaged.
/// Scene-linear in and out, all channels alike, before the tone curve, so that the SDR and the HDR
/// rendition have the same grain and a gain map none; the brightest value of the scene is not
/// exceeded. Amount, size, roughness 0…1; each seed gives another grain. Laws: the same bits for
/// any rectangle; the effect grows with the amount; amount 0 leaves the stage out. Known failure:
/// it is monochrome.
struct Grain: Sendable {
  private let settings: LookSettings.Grain

  /// nil for amount 0.
  init?(_ settings: LookSettings.Grain) {
    guard settings.amount > 0 else { return nil }
    self.settings = settings
  }

  /// The kernel's parameters for an upright picture of `size`, whose brightest value is `peak`.
  func kernel(_ size: PixelSize, peak: Float) -> ck_grain {
    let cell = (0.5 + 2.5 * settings.size) / 4000 * Float(max(size.width, size.height))
    let roughness = settings.roughness
    let sum = (1 + roughness * roughness).squareRoot()
    func layer(_ scale: Float, _ degrees: Double, _ weight: Float) -> ck_grainLayer {
      let own = cell * scale
      let turn = degrees * .pi / 180
      return ck_grainLayer(
        cosine: Float(cos(turn)) / max(own, 1), sine: Float(sin(turn)) / max(own, 1),
        weight: weight / sum * min(own, 1))
    }
    return ck_grain(
      layers: (layer(1, 17, 1), layer(2.3, 61, roughness)),
      seed: UInt32(settings.seed.rounded()) &* 0x9e37_79b9, stops: 0.3 * settings.amount, peak: peak
    )
  }
}
