import CKernels
import ImageCore

/// The pixels that one pixel of a smaller row covers, and their weights.
struct AreaTaps: Sendable {
  /// The pixels.
  let pixels: Range<Int>
  private let firstWeight: Float
  private let lastWeight: Float

  init(_ index: Int, of count: Int, in pixels: Int) {
    let low = Double(index * pixels) / Double(count)
    let high = Double((index + 1) * pixels) / Double(count)
    let cover = AreaCoverage(from: low, to: high, of: pixels)
    self.pixels = cover.pixels
    firstWeight = Float(cover[cover.pixels.lowerBound])
    lastWeight = Float(cover[cover.pixels.upperBound - 1])
  }

  /// The first pixel.
  var first: Int { pixels.lowerBound }

  /// The covered fraction of `pixel`, which is one of them.
  func weight(_ pixel: Int) -> Float {
    pixel == first ? firstWeight : pixel == pixels.upperBound - 1 ? lastWeight : 1
  }

  /// The sum of all weights.
  var total: Float { pixels.reduce(0) { $0 + weight($1) } }

  /// Whether all are in `range`.
  func isWithin(_ range: Range<Int>) -> Bool { range.clamped(to: pixels) == pixels }

  /// The pixels of a smaller row with these `taps` that cover some of `range`.
  static func touching(_ range: Range<Int>, of taps: [AreaTaps]) -> Range<Int> {
    guard let end = taps.last?.pixels.upperBound, !range.isEmpty else { return 0..<0 }
    func index(_ pixel: Int, _ isBeyond: (AreaTaps) -> Bool) -> Int {
      // Taps are all of one length, so the index is near.
      var index = min(max(pixel * taps.count / end - 2, 0), taps.count)
      while index < taps.count, !isBeyond(taps[index]) { index += 1 }
      return index
    }
    let low = index(range.lowerBound) { $0.pixels.upperBound > range.lowerBound }
    return low..<max(low, index(range.upperBound) { $0.first >= range.upperBound })
  }

  /// The taps as the loop takes them, counted from pixel `origin` on.
  func kernel(from origin: Int) -> ck_area {
    ck_area(
      first: Int32(first - origin), end: Int32(pixels.upperBound - origin),
      firstWeight: firstWeight, lastWeight: lastWeight, total: total)
  }
}
