import Foundation
import HDRRender
import ImageCore
import RawDecode

/// The illuminant of a file that does not declare one, estimated from the embedded preview: the one
/// under which our rendering matches the preview's colors.
///
/// Iterates: 0.7 of ``PreviewComparison/cast`` is corrected at a time, because a tone curve
/// stretches the ratios of dark colors and compresses those of bright ones, until less than 1 % of
/// a channel is left. Domain: previews in color that show this picture; their colors may be far
/// from ours at first, so they are checked under the resulting white. Known failure: a preview of a
/// warm or a cool style gives the white of that style.
extension RAWFilter {
  private static let rounds = 10
  private static let step = 0.7
  private static let close = 0.01

  /// The white of the preview by `profile`, iterated from `start`; nil without a trusted preview.
  /// Decodes picture and preview.
  func previewWhite(
    _ profile: CameraProfile, from start: Chromaticity
  ) throws(RAWError) -> Chromaticity? {
    var filter = standardRendering
    let analysis = Analysis.previewWhite(profile, filter.settings, profileTables: profileTables)
    return try picture.cache.value(analysis) { () throws(RAWError) in
      // The default exposure would depend on this white, and colors hardly depend on it.
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
