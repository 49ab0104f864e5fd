import HDRRender
import RawDecode

/// The tone half of the rendering: the file's own curve where it has one, and the profiles for both
/// ranges where it has two. See `Docs/rendering.md`.
extension RAWFilter {
  /// How far the local tone map of the file is opened: for the picture, and for its brightest
  /// value, which does not depend on the amount of headroom. Only a curve for SDR holds
  /// highlights back.
  func highlightExpansion(
    _ tone: ProfileTone?
  ) -> (shown: HighlightExpansion, measured: HighlightExpansion) {
    let (amount, boost) = (extendedDynamicRangeAmount, settings.boostAmount)
    guard hasGainTableMap, let tone, tone.range == .standard, boost > 0 else {
      return (.none, .none)
    }
    let knee = min(max(tone.knee(boost: Double(boost)).light, 0.18), 0.5)
    return (
      HighlightExpansion(fraction: amount * boost, knee: knee),
      HighlightExpansion(fraction: boost, knee: knee)
    )
  }

  /// The tone curve of the profile in use; nil where it has none.
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

  /// The profiles for SDR and for HDR of which the one in use is one: those of its
  /// group.
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
  /// Whether the picture is rendered for display: tone curve, gamut, clipping to neutral. Linear
  /// pictures hold the scene as it was recorded.
  var isDisplayReferred: Bool { boostAmount > 0 }
}
