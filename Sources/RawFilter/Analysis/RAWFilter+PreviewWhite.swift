import Foundation
import HDRRender
import ImageCore
import RawDecode

/// The illuminant of a file that does not state it, from the picture that its camera made: the one
/// under which our rendering has the preview's colors.
///
/// The shift of ``PreviewComparison/cast`` is taken back, in seven tenths, since a tone curve
/// stretches the ratios of dark colors and shrinks those of bright ones, until less than 1 % of a
/// channel is left. Domain: previews in color that show this picture; their colors may be far from
/// ours at first, so they are judged under the white that is found. Known failure: a preview of a
/// warm or a cool style gives the white of that style.
extension RAWFilter {
  private static let rounds = 10
  private static let step = 0.7
  private static let close = 0.01

  /// The white of the preview by `profile`, looked for from `start` on; nil where there is no
  /// preview that can be believed. Decodes picture and preview.
  func previewWhite(
    _ profile: CameraProfile, from start: Chromaticity
  ) throws(RAWError) -> Chromaticity? {
    var filter = standardRendering
    let analysis = Analysis.previewWhite(profile, filter.settings, profileTables: profileTables)
    return try picture.cache.value(analysis) { () throws(RAWError) in
      // Colors depend on the exposure but little, and it would depend on this white.
      filter.settings.baselineExposure = try picture.baselineExposure(
        by: RAWLook.standard.tone, white: { _ in start }, defects: measuredDefects,
        workers: workers)
      var white = start
      for _ in 0..<Self.rounds {
        filter.settings.neutral = .chromaticity(white)
        guard let comparison = try filter.previewComparison(), let cast = comparison.cast,
          let toCamera = profile.cameraToBT2020(white: white).inverse
        else { return nil }
        if max(abs(cast.x), abs(cast.y)) < Self.close {
          return comparison.doubt == nil ? white : nil
        }
        let drawn = SIMD3(exp(-cast.x * Self.step), 1, exp(-cast.y * Self.step))
        white = profile.white(forNeutral: toCamera * drawn)
      }
      return nil
    }
  }
}
