import HDRRender
import RawDecode

/// The tone curve of the rendering: the file's own curve if it has one, and a pair of profiles for
/// SDR and HDR if it has both. See `Docs/rendering.md`.
extension RAWFilter {
  /// The expansion of the file's local tone map: for the picture, and for measuring its brightest
  /// value, which does not depend on the amount of headroom. Only an SDR curve compresses
  /// highlights.
  func highlightExpansion(
    _ tone: ProfileTone?
  ) -> (shown: HighlightExpansion, measured: HighlightExpansion) {
    let (amount, boost) = (extendedDynamicRangeAmount, settings.boostAmount)
    guard hasGainTableMap, let tone, tone.range == .standard, boost > 0 else {
      return (.none, .none)
    }
    let knee = min(max(tone.knee(boost: Double(boost)).display, 0.18), 0.5)
    return (
      HighlightExpansion(fraction: amount * boost, knee: knee),
      HighlightExpansion(fraction: boost, knee: knee)
    )
  }

  /// The tone curve of the active profile; nil if it has none.
  var profileTone: ProfileTone? {
    guard let profile = activeProfile, let curve = ToneSpline(profile.toneCurve) else { return nil }
    let range: ProfileTone.Range =
      switch profile.range {
      case .standard: .standard
      case .high(let peak): .high(maximum: peak.map(Double.init))
      }
    return ProfileTone(
      curve: curve, range: range,
      black: profile.rendersBlack
        ? ProfileTone.black(stops: sceneStops, shadowScale: picture.file.info.shadowScale) : 0)
  }

  /// The pair of profiles for SDR and HDR in the group of the active profile.
  var rangePair: (standard: DNGProfile, high: DNGProfile)? {
    guard let active = activeProfile else { return nil }
    let other = usableProfiles.first {
      $0.groupName == active.groupName && $0.range.isHigh != active.range.isHigh
    }
    guard let other else { return nil }
    return active.range.isHigh ? (other, active) : (active, other)
  }
}

extension RAWSettings {
  /// Whether the picture is rendered for display: tone curve, gamut mapping, clipping to neutral.
  /// Otherwise it is scene-linear.
  var isDisplayReferred: Bool { boostAmount > 0 }
}
