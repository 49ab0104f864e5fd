import ImageCore

/// The application of a gain map to rows of linear values: each pixel by itself, cannot fail.
protocol GainMapOperator: Sendable {
  /// Whether it changes nothing.
  var isIdentity: Bool { get }
  /// Upper bound of max(R, G, B) of the result for values up to `headroom`.
  func bound(_ headroom: Float) -> Float
  /// Changes pixels in place; `map` has the map's samples, 0…1, a row for each of its one or three
  /// channels.
  func apply(_ light: RGBRows, map: [MutableRowView])
}
