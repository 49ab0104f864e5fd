/// A tone curve that ``ToneTable`` can tabulate: scene to display values, 1.0 = reference white.
protocol ToneFunction: Sendable {
  /// Scene value above which it is constant.
  var peak: Double { get }
  /// Largest display value.
  var ceiling: Double { get }
  /// The display value of scene value `x`.
  func callAsFunction(_ x: Double) -> Double
}
