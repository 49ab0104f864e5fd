import ImageCore

/// The pixels that one pixel of a smaller row covers, and their weights.
struct AreaTaps: Sendable {
  /// The first pixel.
  let first: Int
  /// One past the last pixel.
  let end: Int
  private let firstWeight: Float
  private let lastWeight: Float

  init(_ index: Int, of count: Int, in pixels: Int) {
    let low = Double(index * pixels) / Double(count)
    let high = Double((index + 1) * pixels) / Double(count)
    let cover = AreaCoverage(from: low, to: high, of: pixels)
    (first, end) = (cover.pixels.lowerBound, cover.pixels.upperBound)
    firstWeight = Float(cover[first])
    lastWeight = Float(cover[end - 1])
  }

  /// The covered fraction of pixel `first + index`.
  func weight(_ index: Int) -> Float {
    if index == 0 { return firstWeight }
    return first + index == end - 1 ? lastWeight : 1
  }

  /// The sum of the weights, in pixels.
  var total: Float { (0..<end - first).reduce(0) { $0 + weight($1) } }
}
