import RawDecode

/// Values for exposure, tone and vibrance that suit a picture: a start for adjusting by eye.
///
/// Source: our own. Each value is found in turn, on small renderings for SDR, by the CIE lightness
/// L\* of their pixels (``LightnessStatistics``; p10 is its 10th percentile):
///
///     exposure    the mean moves by 0.55 of its distance to 46 if below 44, to 56 if above 58
///     highlights  −0.5…0: p97 down to 93
///     shadows     0…0.45: p10 up to 12
///     contrast    0.01 · (58 − (p90 − p10)), −0.1…0.25
///     blacks      −0.35…0.15: p1 of all pixels to 3.5
///     whites      −0.3…0.4: p99.5 to 96
///     vibrance    0.015 · (26 − mean chroma), 0…0.25
///
/// Exposure changes by 1.5 stops at most; by up to 2.5 stops up where nothing is bright (p99 of 60
/// and less), and down where nothing is dark (p10 of 70 and more): then the capture was wrong, not
/// the scene. So a night scene, which has lamps, stays a night scene. The white is left alone:
/// cameras know more of the illuminant than raws show, and without a white in the file the default
/// is the automatic one already.
///
/// Constants: chosen by eye on some thirty raws, from a dark room to a frame exposed for its
/// shadows. A picture that reaches a target is not changed by its rule.
///
/// Laws: no value is beyond half of its range; the same picture gives the same values; a frame
/// without a picture stays as it is. Known failures: a scene that is bright or dark by intention is
/// moved towards the middle; a chart or a page of text gets the contrast of a photograph.
public struct AutoAdjustment: Sendable, Hashable {
  /// ``RAWFilter/exposure``, in stops.
  public var exposure: Float = 0
  /// ``RAWFilter/contrast``.
  public var contrast: Float = 0
  /// ``RAWFilter/highlights``.
  public var highlights: Float = 0
  /// ``RAWFilter/shadows``.
  public var shadows: Float = 0
  /// ``RAWFilter/whites``.
  public var whites: Float = 0
  /// ``RAWFilter/blacks``.
  public var blacks: Float = 0
  /// ``RAWFilter/vibrance``.
  public var vibrance: Float = 0

  /// All neutral.
  public init() {}

  /// A value, and the property that it is for.
  struct Row: Sendable {
    let name: String
    let value: any WritableKeyPath<AutoAdjustment, Float> & Sendable
    let stored: any WritableKeyPath<RAWSettings, Float> & Sendable
  }

  /// All, in the order of the panel.
  static let rows = [
    Row(name: "exposure", value: \.exposure, stored: \.exposure),
    Row(name: "contrast", value: \.contrast, stored: \.look.contrast),
    Row(name: "highlights", value: \.highlights, stored: \.look.highlights),
    Row(name: "shadows", value: \.shadows, stored: \.look.shadows),
    Row(name: "whites", value: \.whites, stored: \.look.whites),
    Row(name: "blacks", value: \.blacks, stored: \.look.blacks),
    Row(name: "vibrance", value: \.vibrance, stored: \.look.vibrance),
  ]

  /// Names of the properties that it sets.
  public static let names = rows.map(\.name)

  /// The values by the names of their properties, neutral ones included.
  public var values: [String: Float] {
    Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.name, self[keyPath: $0.value]) })
  }

  /// The values of `settings`.
  init(_ settings: RAWSettings) {
    for row in Self.rows { self[keyPath: row.value] = settings[keyPath: row.stored] }
  }

  /// Sets all of them in `settings`.
  public func apply(to settings: inout RAWSettings) {
    for row in Self.rows { settings[keyPath: row.stored] = self[keyPath: row.value] }
  }
}

// MARK: - The rule

extension AutoAdjustment {
  /// What a picture is moved towards; L\* except where said otherwise.
  enum Target {
    /// Means that need no exposure, and where others are moved: photographs that people call well
    /// exposed have means of 40 to 60.
    static let means = 44.0...58.0
    static let (darkMean, brightMean) = (46.0, 56.0)
    /// The fraction of the distance: most of a low or high key is intended.
    static let approach = 0.55
    /// Stops of exposure, and the additional ones of a capture that was exposed wrongly.
    static let (stops, moreStops) = (1.5, 1.0)
    /// p99 below which nothing is bright, p10 above which nothing is dark, and the width over which
    /// the additional stops are given.
    static let (dimHighlights, brightShadows, width) = (60.0, 70.0, 15.0)
    /// p97: below it highlights have structure.
    static let highlights = 93.0
    /// p10: above it shadows have structure on most displays.
    static let shadows = 12.0
    /// p90 − p10 of a photograph of usual contrast, and the contrast for each unit less.
    static let (spread, contrastPerUnit) = (58.0, 0.01)
    /// p1 and p99.5: just within the range.
    static let (blacks, whites) = (3.5, 96.0)
    /// Mean chroma of a colorful photograph, and the vibrance for each unit less.
    static let (chroma, vibrancePerUnit) = (26.0, 0.015)
    /// Mean chroma below which a picture has no color.
    static let gray = 1.0
    /// Fraction of pixels that hold a picture below which there is none.
    static let coverage = 0.01
    /// Fraction above which the darkest pixels are a part of the picture, not a black frame.
    static let fullCoverage = 0.99
  }

  /// Range of each value; within half of the range of its property.
  enum Limit {
    static let highlights = -0.5...0.0
    static let shadows = 0.0...0.45
    static let contrast = -0.1...0.25
    static let blacks = -0.35...0.15
    static let whites = -0.3...0.4
    static let vibrance = 0.0...0.25
    /// Step of all values: finer ones are not seen.
    static let step = 0.01
  }

  /// The values for the picture that `measure` renders with given values; it is passed the coverage
  /// of the first rendering. The values of the properties `kept` stay as in `start`.
  static func found(
    from start: AutoAdjustment = AutoAdjustment(), keeping kept: Set<String> = [],
    measuring measure: (AutoAdjustment, _ coverage: Double?) throws(RAWError) -> LightnessStatistics
  ) throws(RAWError) -> AutoAdjustment {
    var own = start
    let first = try measure(own, nil)
    guard first.coverage >= Target.coverage else { return own }
    let fixed = Set(rows.filter { kept.contains($0.name) }.map { $0.value as AnyHashable })

    func now() throws(RAWError) -> LightnessStatistics { try measure(own, first.coverage) }
    func set(_ path: WritableKeyPath<AutoAdjustment, Float>, _ value: Double) {
      own[keyPath: path] = Float((value / Limit.step).rounded() * Limit.step)
    }
    func solve(
      _ path: WritableKeyPath<AutoAdjustment, Float>, _ range: ClosedRange<Double>,
      _ target: Double, _ level: (LightnessStatistics) -> Double
    ) throws(RAWError) {
      set(
        path,
        try value(in: range, reaching: target) { (value) throws(RAWError) in
          var tried = own
          tried[keyPath: path] = Float(value)
          return level(try measure(tried, first.coverage))
        })
    }
    func isFree(_ path: WritableKeyPath<AutoAdjustment, Float>) -> Bool {
      !fixed.contains(path as AnyHashable)
    }

    if isFree(\.exposure), !Target.means.contains(first.mean) {
      let target = first.mean < Target.means.lowerBound ? Target.darkMean : Target.brightMean
      try solve(
        \.exposure, stops(for: first), first.mean + Target.approach * (target - first.mean), \.mean)
    }
    if isFree(\.highlights), try now().percentile(97) > Target.highlights {
      try solve(\.highlights, Limit.highlights, Target.highlights) { $0.percentile(97) }
    }
    if isFree(\.shadows), try now().percentile(10) < Target.shadows {
      try solve(\.shadows, Limit.shadows, Target.shadows) { $0.percentile(10) }
    }
    if isFree(\.contrast) {
      let toned = try now()
      let missing = Target.spread - (toned.percentile(90) - toned.percentile(10))
      set(\.contrast, (Target.contrastPerUnit * missing).limited(to: Limit.contrast))
    }
    if isFree(\.blacks) {
      // A black frame around the picture, or an unlit room, stays black.
      let highest = first.coverage > Target.fullCoverage ? Limit.blacks.upperBound : 0
      try solve(\.blacks, Limit.blacks.lowerBound...highest, Target.blacks, \.black)
    }
    if isFree(\.whites) {
      try solve(\.whites, Limit.whites, Target.whites) { $0.percentile(99.5) }
    }
    if isFree(\.vibrance) {
      let chroma = try now().chroma
      if chroma >= Target.gray {
        set(
          \.vibrance,
          (Target.vibrancePerUnit * (Target.chroma - chroma)).limited(to: Limit.vibrance))
      }
    }
    return own
  }

  /// The range of the exposure for the picture that is rendered as `first` without it.
  static func stops(for first: LightnessStatistics) -> ClosedRange<Double> {
    func weight(_ excess: Double) -> Double { (excess / Target.width).limited(to: 0...1) }
    let up = weight(Target.dimHighlights - first.percentile(99))
    let down = weight(first.percentile(10) - Target.brightShadows)
    return (-Target.stops - down * Target.moreStops)...(Target.stops + up * Target.moreStops)
  }

  /// The value in `range` at which `level`, which rises with it, is nearest to `target`, by regula
  /// falsi: to 0.4 of L\*, which is not seen.
  private static func value(
    in range: ClosedRange<Double>, reaching target: Double,
    _ level: (Double) throws(RAWError) -> Double
  ) throws(RAWError) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    var atLow = try level(low)
    guard atLow < target else { return low }
    var atHigh = try level(high)
    guard atHigh > target else { return high }
    var middle = low
    for _ in 0..<5 {
      let part = ((target - atLow) / (atHigh - atLow)).limited(to: 0.1...0.9)
      middle = low + part * (high - low)
      let found = try level(middle)
      if abs(found - target) < 0.4 { break }
      if found < target { (low, atLow) = (middle, found) } else { (high, atHigh) = (middle, found) }
    }
    return middle
  }
}

extension Double {
  fileprivate func limited(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
