extension [Double] {
  /// The mean; 0 of none.
  package var mean: Double { reduce(0, +) / Double(Swift.max(count, 1)) }
}
