/// A tone curve that a table can be made of: scene light to display light, 1.0 = reference white.
protocol ToneFunction: Sendable {
  /// Scene value from which on it is constant.
  var peak: Double { get }
  /// Largest display value.
  var ceiling: Double { get }
  /// The display light of scene light `x`.
  func callAsFunction(_ x: Double) -> Double
}
