/// The smooth step from 0 to 1, 3t² − 2t³: 0 below 0, 1 above 1, level at both ends.
@inlinable
package func smoothstep<Number: FloatingPoint>(_ x: Number) -> Number {
  let t = min(max(x, 0), 1)
  return t * t * (3 - 2 * t)
}
