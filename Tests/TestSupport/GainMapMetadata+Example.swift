package import ImageCore

extension GainMapMetadata {
  /// One channel from `low` to `high` stops between two headrooms.
  package static func example(
    _ low: Double = 0, _ high: Double = 2, base: Double = 0, alternate: Double = 2
  ) throws -> GainMapMetadata {
    try GainMapMetadata(
      channels: [.init(minimumStops: low, maximumStops: high)], baseHeadroomStops: base,
      alternateHeadroomStops: alternate)
  }
}
