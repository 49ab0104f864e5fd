extension Array where Element: BinaryFloatingPoint {
  /// The index of the last of these rising values, except the very last, that is at or below
  /// `value`; by bisection. There are two or more, and `value` lies between the first and the last.
  @inlinable
  package func interval(of value: Element) -> Int {
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}
