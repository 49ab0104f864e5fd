/// What a gain map does to rows of linear light: a loop that cannot fail, each pixel by itself.
protocol GainRows: Sendable {
  /// Whether it changes nothing.
  var isIdentity: Bool { get }
  /// Upper bound of max(R, G, B) afterwards for light of up to `headroom`.
  func bound(_ headroom: Float) -> Float
  /// Changes `count` pixels in place by the map's samples, 0…1, a row for each of its one or three
  /// channels. All rows may be read, and those of light written, up to the next multiple of eight.
  func apply(
    _ r: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>,
    _ b: UnsafeMutablePointer<Float>, map: [UnsafeMutablePointer<Float>], count: Int)
}
