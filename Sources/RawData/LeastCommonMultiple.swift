/// The least common multiple of two numbers above 0.
package func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
  var (x, y) = (a, b)
  while y != 0 { (x, y) = (y, x % y) }
  return a / max(x, 1) * b
}
