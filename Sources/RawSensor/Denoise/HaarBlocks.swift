import ImageCore
import RawData

/// Mean and noise of each channel in blocks of a mosaic, for ``NoiseEstimate``: the diagonal Haar
/// details of the smallest squares of photosites of one channel in the filter pattern, and of
/// squares twice as wide, whose corners are sums over the former.
struct HaarBlocks: Sendable {
  /// Columns and rows of a block, a multiple of the pattern.
  let side: Int
  private let periodX: Int
  private let periodY: Int
  private let stepX: Int
  private let stepY: Int
  /// Corners of squares within a period, for each channel that has any.
  private let corners: [[PixelPoint]]

  init(_ layout: SensorData.Layout) {
    switch layout {
    case .mosaic(let cfa) where cfa.channelCount > 1:
      (periodX, periodY) = (cfa.width, cfa.height)
      let found = Self.squares(cfa)
      (stepX, stepY) = (found.step.x, found.step.y)
      corners = found.corners
    case .mosaic, .monochrome:
      (periodX, periodY, stepX, stepY) = (1, 1, 1, 1)
      corners = [[PixelPoint(x: 0, y: 0)]]
    case .linear:
      (periodX, periodY, stepX, stepY) = (2, 2, 2, 2)
      corners = [[PixelPoint(x: 0, y: 0)]]
    }
    let period = max(periodX, periodY)
    side =
      16 % periodX == 0 && 16 % periodY == 0
      ? (period == 1 ? 8 : 16)
      : leastCommonMultiple(periodX, periodY) * (period < 8 ? 4 : 2)
  }

  /// The smallest step at which four photosites of a channel form a square, and where they do.
  private static func squares(
    _ cfa: CFA
  ) -> (step: PixelPoint, corners: [[PixelPoint]]) {
    for area in 1...cfa.width * cfa.height {
      for stepY in 1...min(area, cfa.height) where area % stepY == 0 && area / stepY <= cfa.width {
        let stepX = area / stepY
        var corners = [[PixelPoint]](repeating: [], count: 4)
        for y in 0..<cfa.height {
          for x in 0..<cfa.width {
            let channel = cfa.channel(x: x, y: y)
            let others = [
              cfa.channel(x: x + stepX, y: y), cfa.channel(x: x, y: y + stepY),
              cfa.channel(x: x + stepX, y: y + stepY),
            ]
            if others.allSatisfy({ $0 == channel }) {
              corners[channel].append(PixelPoint(x: x, y: y))
            }
          }
        }
        let used = corners.filter { !$0.isEmpty }
        if !used.isEmpty { return (PixelPoint(x: stepX, y: stepY), used) }
      }
    }
    // One period apart the channel is always the same.
    return (PixelPoint(x: cfa.width, y: cfa.height), [[PixelPoint(x: 0, y: 0)]])
  }

  /// The measurements of a channel in a block.
  struct Measurement {
    let mean: Float
    let brightest: Float
    /// Standard deviation of a photosite, from the squares and from the squares twice as wide:
    /// equal for white noise, larger in the second for texture. Nil if a block has too few wide
    /// squares.
    let deviation: Float
    let wideDeviation: Float?
  }

  /// Calls `body` for each channel of the block at column `x`.
  func forEachChannel(_ plane: TilePlane, x: Int, _ body: (Measurement) -> Void) {
    for group in corners {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: side * side) { details in
        var count = 0
        var (sum, largest): (Float, Float) = (0, -.infinity)
        for corner in group {
          for y in stride(from: corner.y, to: side - stepY, by: periodY) {
            let top = plane.row(plane.rect.y + y).from(x)
            let bottom = plane.row(plane.rect.y + y + stepY).from(x)
            for i in stride(from: corner.x, to: side - stepX, by: periodX) {
              let (a, b, c, d) = (top[i], top[i + stepX], bottom[i], bottom[i + stepX])
              details[count] = abs((a - b) - (c - d))
              sum += (a + b) + (c + d)
              largest = max(largest, max(max(a, b), max(c, d)))
              count += 1
            }
          }
        }
        guard count >= 8 else { return }
        let fine = Self.median(details, count) * 0.5 * 1.4826 / Self.lowest(count)
        let wide = wideDetails(plane, x, group, into: details)
        let coarse =
          wide < 8 ? nil : Self.median(details, wide) * 0.25 * 1.4826 / Self.lowest(wide)
        body(
          Measurement(
            mean: sum / Float(4 * count), brightest: largest, deviation: fine,
            wideDeviation: coarse))
      }
    }
  }

  /// Writes the magnitudes of the details of squares twice as wide; returns their number.
  private func wideDetails(
    _ plane: TilePlane, _ x: Int, _ group: [PixelPoint],
    into details: UnsafeMutableBufferPointer<Float>
  ) -> Int {
    guard 2 * stepX % periodX == 0, 2 * stepY % periodY == 0 else { return 0 }
    var count = 0
    for corner in group {
      for y in stride(from: corner.y, to: side - 3 * stepY, by: periodY) {
        for i in stride(from: corner.x, to: side - 3 * stepX, by: periodX) {
          var detail: Float = 0
          for down in 0..<4 {
            let row = plane.row(plane.rect.y + y + down * stepY).from(x + i)
            let line = (row[0] + row[stepX]) - (row[2 * stepX] + row[3 * stepX])
            detail += down < 2 ? line : -line
          }
          details[count] = abs(detail)
          count += 1
        }
      }
    }
    return count
  }

  /// Fraction of the blocks of one brightness, the least noisy, whose largest deviation is used.
  static let quantile = 0.1
  /// That quantile of the deviations that `count` overlapping details of pure noise give, for a
  /// true deviation of 1: their spread is 1.17/√n, n three quarters of them because they overlap.
  private static func lowest(_ count: Int) -> Float {
    max(1 - 1.5 / (0.76 * Float(count)).squareRoot(), 0.5)
  }

  /// The value at the middle of the order of `count` values, none of them negative: their bits are
  /// in the same order, and its own are found from the highest on by counting the values below.
  /// Writes infinity behind the values, to the end of a vector.
  private static func median(_ values: UnsafeMutableBufferPointer<Float>, _ count: Int) -> Float {
    let vectors = (count + 7) / 8
    for i in count..<8 * vectors { values[i] = .infinity }
    let lanes = UnsafeRawBufferPointer(values)
    var found: UInt32 = 0
    for bit in (0..<31).reversed() {
      let limit = found | 1 << UInt32(bit)
      var below = SIMD8<Int32>()
      for i in 0..<vectors {
        let some = lanes.loadUnaligned(fromByteOffset: 32 * i, as: SIMD8<UInt32>.self)
        below &-= SIMD8<Int32>(repeating: -1).replacing(with: 0, where: some .>= limit)
      }
      if Int(below.wrappedSum()) <= count / 2 { found = limit }
    }
    return Float(bitPattern: found)
  }
}
