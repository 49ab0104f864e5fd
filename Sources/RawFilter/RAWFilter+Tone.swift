import HDRRender
import ImageCore

/// The tone half of the rendering: the file's own curve where it has one, and the profiles for both
/// ranges where it has two. See `Docs/rendering.md`.
extension RAWFilter {
  /// The picture, rendered when it is read. What will be read or rendered several times should keep the
  /// camera's picture, without noise: 12 bytes a pixel, up to ``cacheLimitBytes``.
  package func rendition(keepsDemosaiced: Bool) throws(RAWError) -> RAWRendition {
    guard settings.boostAmount > 0, let pair = rangePair else {
      return try singleRendition(keepsDemosaiced: keepsDemosaiced)
    }
    func end(_ profile: DNGProfile, amount: Float) throws(RAWError) -> RAWRendition {
      var filter = self
      filter.settings.profileName = profile.name
      filter.settings.extendedDynamicRangeAmount = amount
      return try filter.singleRendition(keepsDemosaiced: keepsDemosaiced)
    }
    let amount = extendedDynamicRangeAmount
    let high = try end(pair.high, amount: 1)
    if amount >= 1 { return high }
    let standard = try end(pair.standard, amount: 0)
    return RAWRendition(
      rendition: amount <= 0
        ? standard : BlendedRendition(standard: standard, high: high, weight: amount),
      fileHeadroom: high.fileHeadroom, warnings: standard.warnings)
  }

  private func singleRendition(keepsDemosaiced: Bool) throws(RAWError) -> RAWRendition {
    let tone = profileTone
    let (amount, boost) = (extendedDynamicRangeAmount, settings.boostAmount)
    var (shown, measured) = (HighlightOpening.none, HighlightOpening.none)
    if let tone, tone.range == .standard, boost > 0 {
      let knee = min(max(tone.knee(boost: Double(boost)).light, 0.18), 0.5)
      shown = HighlightOpening(share: amount * boost, knee: knee)
      measured = HighlightOpening(share: boost, knee: knee)
    }
    let scene = try scenePipeline(
      keepsDemosaiced: keepsDemosaiced, isCleaned: true, opening: shown, peakOpening: measured)
    let renderer = HDRRenderer(
      RenderSettings(
        extendedDynamicRangeAmount: amount, boostAmount: boost,
        boostShadowAmount: settings.boostShadowAmount,
        isGamutMappingEnabled: settings.isGamutMappingEnabled, primaries: outputPrimaries),
      scenePeak: scene.info.peak, profile: tone)
    return RAWRendition(
      rendition: renderer.render(upright(try detailStage(of: scene).applied(to: scene))),
      fileHeadroom: renderer.fileHeadroom,
      warnings: warnings)
  }

  private func upright(_ scene: any PixelSource<SceneLinear>) -> any PixelSource<SceneLinear> {
    effectiveOrientation == .up ? scene : UprightSource(scene, effectiveOrientation)
  }

  /// The tone curve of the profile in use; nil where it has none.
  private var profileTone: ProfileTone? {
    guard let profile = activeProfile, let curve = ToneSpline(profile.toneCurve) else { return nil }
    let stops = Double(settings.exposure) + Double(baselineExposure)
    let range: ProfileTone.Range =
      switch profile.range {
      case .standard: .standard
      case .high(let peak): .high(maximum: peak.map(Double.init))
      }
    return ProfileTone(
      curve: curve, range: range,
      black: profile.rendersBlack
        ? ProfileTone.black(stops: stops, shadowScale: picture.file.info.shadowScale) : 0)
  }

  /// The profiles for standard and for high range of which the one in use is one: those of its group.
  private var rangePair: (standard: DNGProfile, high: DNGProfile)? {
    guard let active = activeProfile else { return nil }
    let other = usableProfiles.first {
      $0.groupName == active.groupName && $0.range.isHigh != active.range.isHigh
    }
    guard let other else { return nil }
    return active.range.isHigh ? (other, active) : (active, other)
  }
}
