import ImageCore

/// What a gain map does to rows of linear light: a loop that cannot fail, each pixel by itself.
protocol GainRows: Sendable {
  /// Whether it changes nothing.
  var isIdentity: Bool { get }
  /// Upper bound of max(R, G, B) afterwards for light of up to `headroom`.
  func bound(_ headroom: Float) -> Float
  /// Changes pixels in place by the map's samples, 0…1, a row for each of its one or three
  /// channels.
  func apply(_ light: RGBRows, map: [MutableRowView])
}
