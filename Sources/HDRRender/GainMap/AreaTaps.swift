import CKernels
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

  /// The taps as the loop takes them.
  var kernel: ck_area {
    let weights = (first..<end).map { index in
      index == first ? firstWeight : index == end - 1 ? lastWeight : 1
    }
    return ck_area(
      first: Int32(first), end: Int32(end), firstWeight: firstWeight, lastWeight: lastWeight,
      total: weights.reduce(0, +))
  }

  /// Whether the pixel of the smaller row with this index covers two whole ones, and nothing more.
  func isPair(_ index: Int) -> Bool {
    first == 2 * index && end == first + 2 && firstWeight == 1 && lastWeight == 1
  }
}
