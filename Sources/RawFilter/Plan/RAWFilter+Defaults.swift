import HDRRender
import ImageCore
public import RawDecode
import RawSensor

/// The resolved values of unset properties on this file. Unlike getters, these methods throw if the
/// picture cannot be decoded.
extension RAWFilter {
  /// ``settings`` with a value for each property whose default depends on the file: exposure of the
  /// file, noise reduction, sharpness, local tone map, headroom and orientation, and those of
  /// ``isAutomaticAdjustmentEnabled``. The white is
  /// ``resolvedWhite()``; profile-dependent values are those of the active profile. They render the
  /// same picture, unless the file has a pair of profiles for SDR and HDR.
  ///
  /// Decodes the picture if noise or exposure must be measured; the result is cached for the
  /// rendering. Throws if that fails; the properties themselves then read neutral values.
  public func resolvedSettings() throws(RAWError) -> RAWSettings {
    var resolved = try adjustedAutomatically().settings
    if settings.isAutomaticAdjustmentEnabled {
      // Stays on, with nothing left to find.
      resolved.isAutomaticAdjustmentEnabled = true
      resolved.exceptFromAutomaticAdjustment { _ in true }
    }
    resolved.baselineExposure = try resolvedBaselineExposure()
    resolved.undoesUnderexposure = false
    let noise = try resolvedNoiseAmounts()
    resolved.luminanceNoiseReductionAmount = noise.luminance
    resolved.colorNoiseReductionAmount = noise.color
    resolved.sharpnessAmount = sharpnessAmount
    resolved.outputSharpening = outputSharpening
    resolved.localToneMapAmount = localToneMapAmount
    resolved.extendedDynamicRangeAmount = extendedDynamicRangeAmount
    resolved.orientation = effectiveOrientation
    return resolved
  }

  /// This filter with ``resolvedSettings()``.
  func resolved() throws(RAWError) -> RAWFilter {
    var filter = self
    filter.settings = try resolvedSettings()
    return filter
  }

  /// Every property in the order of ``RAWProperty/all`` with its value on this file. Decodes the
  /// picture, and throws if that fails.
  public func resolvedAdjustments() throws(RAWError) -> [RAWAdjustment] {
    _ = try resolvedWhite()
    return try resolved().adjustments
  }

  /// ``baselineExposure``. Decodes the picture of a raw that is not a DNG, unless it is set.
  package func resolvedBaselineExposure() throws(RAWError) -> Float {
    if let stops = settings.baselineExposure { return stops + undoneStops }
    return try fileBaselineExposure()
  }

  /// The default of ``baselineExposure``.
  func fileBaselineExposure() throws(RAWError) -> Float {
    if let reference = picture.reference {
      let filter = with(reference.picture)
      // Its samples are not needed any more.
      defer { reference.picture.forgetSamples(opcodes) }
      return try filter.fileBaselineExposure() + reference.stops
    }
    return try ownBaselineExposure() + baselineExposureOffset
  }

  /// The same without the profile's offset: from the series, else declared by the file, or
  /// estimated.
  private func ownBaselineExposure() throws(RAWError) -> Float {
    let tone = settings.look.base.tone
    if !statesExposure, let findings = try seriesEntry()?.findings,
      let stops = tone == .faithful ? findings.faithfulExposure : findings.exposure
    {
      return stops
    }
    return try picture.baselineExposure(
      by: settings.isDisplayReferred ? tone : nil, white: defaultWhite(_:),
      defects: measuredDefects,
      workers: workers)
  }

  /// Whether the file declares a baseline exposure that applies to these settings.
  package var statesExposure: Bool { picture.statesExposure(for: settings.isDisplayReferred) }

  /// BaselineExposureOffset of the active profile.
  var baselineExposureOffset: Float { Float(activeProfile?.baselineExposureOffset ?? 0) }

  /// The amounts of noise reduction. Measures the noise where one is not set.
  func resolvedNoiseAmounts() throws(RAWError) -> NoiseAmounts {
    let (luminance, color) = (
      settings.luminanceNoiseReductionAmount, settings.colorNoiseReductionAmount
    )
    if let luminance, let color { return NoiseAmounts(luminance: luminance, color: color) }
    let amounts = NoiseAmounts(
      for: try picture.noise(opcodes: opcodes, profile: profile, workers: workers),
      applied: Float(picture.file.info.noiseReductionApplied)
    ).limited(toSpeed: picture.file.metadata.isoSpeed.map(Double.init))
    return NoiseAmounts(luminance: luminance ?? amounts.luminance, color: color ?? amounts.color)
  }

  var hasGainTableMap: Bool { activeProfile?.gainTableMap != nil }
  var hasColor: Bool { picture.file.info.layout != .monochrome }
}
