import Foundation
import ImageCore

/// The blur of a picture before sharpening, as standard deviation of a Gaussian in pixels.
///
/// Source: the estimate of RawTherapee's capture sharpening (Weyrich 2019). A point of light gives
/// diagonal neighbours, d² = 2 apart, values in the ratio R = exp(d² / 2σ²), so the largest ratio
/// between diagonally adjacent green photosites tells σ = √(1 / ln R). Own here: of the ratios the
/// `rank`-th largest of each million is taken, and only between photosites that each have a like
/// neighbour (a ratio to the next diagonal below √R), so that defects and noise do not count; both
/// are below saturation, the darker above a noise floor.
/// Units: balanced light, 1.0 = saturated. Result 0.4…1.2.
/// Known failures: a picture without any sharp detail looks blurred and gives the upper limit or,
/// with fewer than `leastFound` ratios above that of the limit, ``unknown``.
package enum SharpeningRadius {
  /// Of pictures whose mosaic is not at hand: linear files and patterns without diagonal greens.
  package static let unknown: Float = 0.7
  static let range: ClosedRange<Float> = 0.4...1.2
  static let noiseFloor: Float = 0.01
  static let clip: Float = 0.95
  static let rank = 20
  static let leastFound = 8

  /// The blur in pixels of a picture reduced to `scale` (0…1) of the one whose blur is `radius`:
  /// reduction by area adds none that sharpening should take back.
  package static func scaled(_ radius: Float, by scale: Float) -> Float { radius * min(scale, 1) }

  /// Measures `data`, a mosaic; anything else is ``unknown``.
  package static func measured(_ data: SensorData, workers: Int = Parallel.defaultWorkers) -> Float
  {
    guard case .mosaic(let cfa) = data.layout, cfa.kind == .bayer || cfa.kind == .xTrans,
      data.size.width > 4 * cfa.width, data.size.height > 8
    else { return unknown }
    let levels = LinearLevels(data, balance: SIMD4(repeating: 1))
    // A quarter of the rows holds enough edges.
    let bands = (data.size.height - 4) / 16 + 1
    let histograms = Parallel.map(count: bands, workers: workers) { band in
      let plane = TilePlane()
      let rect = PixelRect(x: 0, y: band * 16, width: data.size.width, height: 7)
        .intersection(PixelRect(data.size))
      guard rect.height >= 4 else { return Histogram() }
      plane.place(rect)
      levels.load(plane)
      return Histogram(plane, cfa)
    }
    let total = histograms.reduce(into: Histogram()) { $0.add($1) }
    return total.radius
  }

  /// Counts of the ratios, by what radius they stand for, in hundredths of a pixel.
  private struct Histogram {
    private var counts = [Int](repeating: 0, count: 151)
    private var pairs = 0

    init() {}

    mutating func add(_ other: Histogram) {
      pairs += other.pairs
      for i in counts.indices { counts[i] += other.counts[i] }
    }

    /// The radius at the wanted rank.
    var radius: Float {
      let wanted = max(leastFound, pairs / 1_000_000 * rank)
      var found = 0
      for (index, count) in counts.enumerated() {
        found += count
        if found >= wanted {
          return min(max(Float(index) / 100, range.lowerBound), range.upperBound)
        }
      }
      return unknown
    }

    /// Rows 1 and 2 of every four that the plane holds, against the row below.
    init(_ plane: TilePlane, _ cfa: CFA) {
      let rect = plane.rect
      for y in rect.y + 1..<rect.endY - 2 {
        for step in [-1, 1] {
          for x in stride(from: rect.x, to: rect.x + cfa.width, by: 1)
          where cfa.channel(x: x, y: y) == 1
            && cfa.channel(x: x + cfa.width + step, y: y + 1) == 1
          {
            count(plane, x: x + cfa.width, every: cfa.width, y: y, step: step)
          }
        }
      }
    }

    private mutating func count(
      _ plane: TilePlane, x first: Int, every: Int, y: Int, step: Int
    ) {
      let (here, below) = (plane.row(y), plane.row(y + 1))
      let (above, under) = (plane.row(y - 1), plane.row(y + 2))
      for x in stride(from: first, to: plane.rect.width - every - 2, by: every) {
        let (a, b) = (here[x], below[x + step])
        let isUp = a > b
        let (high, low) = isUp ? (a, b) : (b, a)
        pairs += 1
        // exp(1 / 1.5²): blurrier than anything counted.
        guard low > noiseFloor, high < clip, high > low * 1.56 else { continue }
        let (before, after) = (above[x - step], under[x + 2 * step])
        let (nearHigh, nearLow) = isUp ? (before, after) : (after, before)
        let ratio = high / low
        let like = ratio.squareRoot()
        guard nearHigh * like > high || nearHigh > low, nearLow < low * like, nearLow > 0
        else { continue }
        let radius = (1 / log(ratio)).squareRoot()
        counts[min(Int(radius * 100), 150)] += 1
      }
    }
  }
}
