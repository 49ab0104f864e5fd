import ImageCore

/// A value for each cell, interpolated from the values added to some of them.
///
/// Source: push–pull (Gortler et al., The Lumigraph, 1996, section 3.4). The weighted values are
/// summed over 2 × 2 cells six times; from the coarsest level down, each cell takes (Σw·v + k·V) /
/// (Σw + k), V = `outer` of the value of the coarser level, interpolated between its cells, w per
/// photosite of a cell, and k = 0.4; above the coarsest V is `top` and k = 0.005.
final class FilledCells: @unchecked Sendable {
  private static let levels = 6
  /// Weights of the next coarser level, and of `top`.
  private static let (prior, topPrior): (Float, Float) = (0.4, 0.005)
  /// Minimum value; values are divisors later.
  private static let floor: Float = 0.02

  private let size: PixelSize
  /// Sums of weighted values while they are gathered, then the values.
  private let values: PixelStorage<SIMD4<Float>>
  /// Nil after ``fill(top:outer:)``.
  private var weights: Weights?

  private final class Weights {
    let values: PixelStorage<Float>
    init(count: Int) throws(PixelError) { values = try PixelStorage(zeros: count) }
  }

  init(_ size: PixelSize) throws(PixelError) {
    self.size = size
    values = try PixelStorage(zeros: size.area)
    weights = try Weights(count: size.area)
  }

  /// The sums of `other`, which is not filled yet, with their weights times `part`.
  init(_ other: FilledCells, part: Float) throws(PixelError) {
    size = other.size
    values = try PixelStorage(zeros: size.area)
    weights = try Weights(count: size.area)
    guard let weights, let others = other.weights else { return }
    for i in 0..<size.area {
      values.start[i] = other.values.start[i] * part
      weights.values.start[i] = others.values.start[i] * part
    }
  }

  func add(_ value: SIMD4<Float>, weight: Float, at index: Int) {
    guard let weights else { return }
    // Workers add to different cells, as in BlockExtrema.
    let (sum, total) = (values.start + index, weights.values.start + index)
    total.pointee += weight
    sum.pointee += value * weight
  }

  /// Turns the sums into values, after the last is added.
  func fill(
    top: SIMD4<Float>, outer: (SIMD4<Float>) -> SIMD4<Float> = { $0 }
  ) throws(PixelError) {
    guard let weights else { return }
    try Self.fill(values.start, weights.values.start, size, top, outer, level: 0)
    self.weights = nil
  }

  private static func fill(
    _ sums: UnsafeMutablePointer<SIMD4<Float>>, _ weights: UnsafeMutablePointer<Float>,
    _ size: PixelSize, _ top: SIMD4<Float>, _ outer: (SIMD4<Float>) -> SIMD4<Float>, level: Int
  ) throws(PixelError) {
    let coarse = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    let count = level + 1 < levels && size.area > 1 ? coarse.area : 0
    let above = try PixelStorage<SIMD4<Float>>(zeros: count)
    if count > 0 {
      let totals = try PixelStorage<Float>(zeros: count)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (i, into) = (y * size.width + x, y / 2 * coarse.width + x / 2)
          above.start[into] += sums[i]
          totals.start[into] += weights[i]
        }
      }
      try fill(above.start, totals.start, coarse, top, outer, level: level + 1)
    }
    let prior = count > 0 ? prior : topPrior
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = y * size.width + x
        let beyond =
          count > 0
          ? outer(
            interpolated(
              UnsafePointer(above.start), coarse, (Float(x) - 0.5) / 2, (Float(y) - 0.5) / 2))
          : top
        let value = (sums[i] + prior * beyond) / (weights[i] + prior)
        sums[i] = value.replacing(with: floor, where: value .< floor)
      }
    }
  }

  /// Changes each value, after ``fill(top:outer:)``.
  func change(_ body: (SIMD4<Float>) -> SIMD4<Float>) {
    for i in 0..<size.area { values.start[i] = body(values.start[i]) }
  }

  /// The values of all cells, four numbers each, interpolated between the centers of cells.
  var first: UnsafePointer<Float> {
    UnsafeRawPointer(values.start).assumingMemoryBound(to: Float.self)
  }

  @inline(__always)
  private static func interpolated(
    _ values: UnsafePointer<SIMD4<Float>>, _ size: PixelSize, _ x: Float, _ y: Float
  ) -> SIMD4<Float> {
    let (px, py) = (
      min(max(x, 0), Float(size.width - 1)), min(max(y, 0), Float(size.height - 1))
    )
    let (left, top) = (Int(px), Int(py))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (fx, fy) = (px - Float(left), py - Float(top))
    let (upper, lower) = (values + top * size.width, values + bottom * size.width)
    let a = upper[left] + fx * (upper[right] - upper[left])
    let b = lower[left] + fx * (lower[right] - lower[left])
    return a + fy * (b - a)
  }
}
