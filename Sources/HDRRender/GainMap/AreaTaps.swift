import ImageCore

/// The pixels that the area of one pixel of a smaller row covers, and how much of each.
struct AreaTaps: Sendable {
  /// The first pixel.
  let first: Int
  /// Behind the last pixel.
  let end: Int
  private let firstShare: Float
  private let lastShare: Float

  init(_ index: Int, of count: Int, in pixels: Int) {
    let low = Double(index * pixels) / Double(count)
    let high = Double((index + 1) * pixels) / Double(count)
    let cover = AreaCoverage(from: low, to: high, of: pixels)
    (first, end) = (cover.pixels.lowerBound, cover.pixels.upperBound)
    firstShare = Float(cover[first])
    lastShare = Float(cover[end - 1])
  }

  /// The covered share of pixel `first + index`.
  func share(_ index: Int) -> Float {
    if index == 0 { return firstShare }
    return first + index == end - 1 ? lastShare : 1
  }

  /// The covered area, in pixels.
  var total: Float { (0..<end - first).reduce(0) { $0 + share($1) } }
}
