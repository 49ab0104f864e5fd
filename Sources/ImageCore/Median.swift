/// The middle of those of `values` that are numbers, or the mean of the two in the middle; nil for
/// none.
package func median<Value: BinaryFloatingPoint>(_ values: [Value]) -> Value? {
  let sorted = values.filter { !$0.isNaN }.sorted()
  return sorted.isEmpty ? nil : median(ofSorted: sorted)
}

/// The same of numbers in order, of which there is one at least.
@inlinable
package func median<Values: RandomAccessCollection>(ofSorted values: Values) -> Values.Element
where Values.Element: BinaryFloatingPoint, Values.Index == Int {
  let middle = values.count / 2
  return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
}
