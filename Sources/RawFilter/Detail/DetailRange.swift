import RawDecode

/// The check of the ranges of the detail stages' settings.
enum DetailRange {
  /// Throws `.badSetting` unless `value` is finite and in `range`.
  static func check(
    _ name: String, _ value: Float, _ range: ClosedRange<Float>
  ) throws(RAWError) {
    guard value.isFinite, range.contains(value) else {
      throw RAWError(
        .badSetting, .settings,
        "\(name) is \(value); it takes \(range.lowerBound) to \(range.upperBound)")
    }
  }
}
