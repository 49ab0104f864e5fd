import ImageCore

/// The application of a gain map to rows of linear values: each pixel by itself, cannot fail.
protocol GainMapOperator: Sendable {
  /// Whether it changes nothing.
  var isIdentity: Bool { get }
  /// Upper bound of max(R, G, B) of the result for values up to `headroom`.
  func bound(_ headroom: Float) -> Float
  /// Changes pixels in place; `map` has the map's samples, 0…1, one row per channel of the map.
  func apply(_ pixels: RGBRows, map: [MutableRowView])
}
