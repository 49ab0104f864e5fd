import HDRRender
import ImageCore
public import RawDecode

/// Exposure, tone and vibrance set by the picture.
extension RAWFilter {
  /// Whether exposure, contrast, highlights, shadows, whites, blacks and vibrance are set by the
  /// picture, as far as they are at their default; default off. ``automaticAdjustments()`` returns
  /// the values. No counterpart in CIRAWFilter. Excludes the look `scene`.
  public var isAutomaticAdjustmentEnabled: Bool {
    get { settings.isAutomaticAdjustmentEnabled }
    set { settings.isAutomaticAdjustmentEnabled = newValue }
  }

  /// Values of exposure, contrast, highlights, shadows, whites, blacks and vibrance that suit the
  /// picture with all other settings as they are; see ``AutoAdjustment`` for how they are found.
  ///
  ///     try filter.automaticAdjustments().apply(to: &filter.settings)
  ///
  /// The same file and settings give the same values, at any size and number of threads. Decodes
  /// the picture, and renders it some thirty times at 320 pixels. Throws a `.badSetting` for the
  /// look `scene`, and what `outputImage()` throws.
  public func automaticAdjustments() throws(RAWError) -> AutoAdjustment {
    try automaticAdjustments(keeping: [])
  }

  /// The same with the values of the properties `kept` as they are set.
  func automaticAdjustments(keeping kept: Set<String>) throws(RAWError) -> AutoAdjustment {
    guard !settings.isScene else {
      throw RAWError(
        .badSetting, .settings,
        "look scene is scene-linear output, which has no automatic adjustment; choose another look",
        setting: "isAutomaticAdjustmentEnabled")
    }
    var base = self
    base.settings = settings.measuredAutomatically(keeping: kept)
    (base.outputPrimaries, base.highlightsWhite) = (.srgb, nil)
    let cache = linearSpaceFilter == nil ? picture.cache : AnalysisCache()
    let analysis = Analysis.automaticAdjustment(
      base.settings, keeping: kept, colorMatrix: colorMatrix, profileTables: profileTables)
    return try cache.value(analysis) { () throws(RAWError) in
      try base.measuredAdjustments(keeping: kept)
    }
  }

  /// Longer side of the measured picture, pixels: percentiles need some ten thousand pixels.
  private static let measuredSide = 320

  private func measuredAdjustments(keeping kept: Set<String>) throws(RAWError) -> AutoAdjustment {
    var base = self
    let size = base.outputSize
    let reduction = Float(Self.measuredSide) / Float(max(size.width, size.height, 1))
    base.scaleFactor = min(reduction, 1)
    // Each rendering differs from the one before behind the camera's picture.
    base.keepsReduced = true
    return try AutoAdjustment.found(from: AutoAdjustment(settings), keeping: kept) {
      (values, coverage) throws(RAWError) in
      var filter = base
      values.apply(to: &filter.settings)
      let rendition = try filter.plan().rendition()
      return try RAWError.translating(.color) { () throws(PixelError) in
        LightnessStatistics(
          try Image(rendering: rendition, workers: workers), coverage: coverage)
      }
    }
  }

  /// This filter with the values of automatic adjustment in place of
  /// ``isAutomaticAdjustmentEnabled``.
  func adjustedAutomatically() throws(RAWError) -> RAWFilter {
    guard settings.isAutomaticAdjustmentEnabled else { return self }
    var filter = self
    let free = settings.automaticNames
    if !free.isEmpty {
      try automaticAdjustments(keeping: Set(AutoAdjustment.names).subtracting(free))
        .apply(to: &filter.settings)
    }
    filter.settings.isAutomaticAdjustmentEnabled = false
    return filter
  }

  /// The note on the values that automatic adjustment set in `adjusted`.
  func automaticNote(_ adjusted: RAWFilter) -> String? {
    guard settings.isAutomaticAdjustmentEnabled else { return nil }
    let values = AutoAdjustment(adjusted.settings).values
    let free = settings.automaticNames
    let changed = AutoAdjustment.names.filter { free.contains($0) && values[$0] != 0 }
      .map { "\($0) \(RAWProperty.text(values[$0] ?? 0))" }
    return "adjusted automatically: "
      + (changed.isEmpty ? "nothing" : changed.joined(separator: ", "))
  }
}

/// Whether the picture sets the values of ``AutoAdjustment``.
struct AutomaticChoice: Sendable, Hashable {
  var isEnabled = false
  /// Names of properties whose default is given, as by a document, and not set by the picture.
  var exceptions: Set<String> = []
}

extension RAWSettings {
  /// Whether exposure, contrast, highlights, shadows, whites, blacks and vibrance are set by the
  /// picture, where they are at their default; a default that a document gives stays.
  public var isAutomaticAdjustmentEnabled: Bool {
    get { automatic.isEnabled }
    set {
      automatic.isEnabled = newValue
      if !newValue { automatic.exceptions = [] }
    }
  }

  /// Leaves alone the properties for which `isGiven` is true, even at their default.
  mutating func exceptFromAutomaticAdjustment<E: Error>(
    _ isGiven: (String) throws(E) -> Bool
  ) throws(E) {
    for row in AutoAdjustment.rows where self[keyPath: row.stored] == 0 {
      if try isGiven(row.name) { automatic.exceptions.insert(row.name) }
    }
  }

  /// ``isAutomaticAdjustmentEnabled`` as documents store it: nil if off.
  var automaticAdjustment: Bool? {
    get { isAutomaticAdjustmentEnabled ? true : nil }
    set { isAutomaticAdjustmentEnabled = newValue ?? false }
  }

  /// Names of the properties that automatic adjustment sets; empty if it is off.
  var automaticNames: Set<String> {
    guard isAutomaticAdjustmentEnabled else { return [] }
    return Set(
      AutoAdjustment.rows.filter {
        self[keyPath: $0.stored] == 0 && !automatic.exceptions.contains($0.name)
      }.map(\.name))
  }

  /// The settings of the first rendering that is measured: SDR at full size, without the values
  /// that are to be found.
  fileprivate func measuredAutomatically(keeping kept: Set<String>) -> RAWSettings {
    var own = self
    for row in AutoAdjustment.rows where !kept.contains(row.name) { own[keyPath: row.stored] = 0 }
    own.isAutomaticAdjustmentEnabled = false
    (own.extendedDynamicRangeAmount, own.scaleFactor) = (0, 1)
    return own
  }
}
