import ImageCore
import RawDecode

/// Where something moved between the frames, and the frame that each such region is taken from.
///
/// Source: own; the test against the noise model as in Granados, Kim, Tompkin, Theobalt, "Automatic
/// noise modeling for ghost-free HDR reconstruction" (2013), made consistent in space by hysteresis
/// and connected regions. The picture is divided into blocks of `side` photosites. In each the mean
/// value of every unsaturated frame is compared with that of the base, the unsaturated frame
/// nearest to the reference: D = Σ (difference)² / (variances + tolerance²) / channels, where the
/// tolerance is `relative` of the value, for flicker, and `edges` of the range among the blocks
/// around, for errors of the alignment. A frame that is saturated where the base is clearly darker
/// differs, too. D, limited to `maxDifference`, is averaged over 3 × 3 blocks; regions above `weak`
/// that reach `strong` somewhere and hold `minBlocks` are ghosts, `margin` blocks more around them.
/// Every block of one comes from the reference, or, where that is saturated, from the longest
/// shorter frame that is unsaturated and bright enough there to have saturated the reference.
/// Without one, saturated samples get the saturation level of the reference: of their own channel,
/// and as a neutral where all channels are saturated in the block. Borders are blended over two
/// blocks. Units: linear values of the shortest frame. Known failures: moving objects that differ
/// from their background by less than the tolerance stay mixed, with as little contrast; so do
/// objects smaller than a block; a moving object as bright as what saturated the reference may
/// appear twice.
struct GhostMap: Sendable {
  /// Photosites along a block, for small pictures and for those of more than `smallArea`.
  private static let sides = (small: 4, large: 8)
  private static let smallArea = 3_000_000
  private static let relative: Float = 0.04
  private static let edges: Float = 0.15
  private static let weak: Float = 3
  private static let strong: Float = 8
  /// The maximum difference of one block, so that a hot photosite alone is no ghost.
  private static let maxDifference: Float = 40
  /// Factor by which the base must stay below the limit of a saturated frame.
  private static let saturated: Float = 1.25
  private static let minBlocks = 6
  private static let margin = 2

  /// What a block of one frame says.
  struct Block: Sendable {
    /// Mean of each channel.
    var mean = SIMD4<Float>()
    /// The largest of each channel.
    var peak = SIMD4<Float>()
    /// The variance of the mean: noise, and what interpolation adds.
    var variance = SIMD4<Float>()
    /// Whether nothing in it is missing or near saturation.
    var isUsable = false
    /// Whether any of it is near saturation.
    var isSaturated = false
  }

  /// Blocks across and down.
  let size: PixelSize
  /// Photosites along a block.
  let side: Int
  /// For each block 0 for no ghost, else one more than the frame that it comes from: a byte holds
  /// ``BracketMerge/maxFrames``.
  let choice: [UInt8]
  /// For each frame what each block of it counts, 0…1; nil where there are no ghosts.
  private let weights: [[Float]]
  /// The fill values of saturated samples in blocks that only the reference can provide.
  private let fills: [Int: SIMD4<Float>]

  /// Fraction of the picture that comes from one frame.
  var fraction: Double {
    choice.isEmpty ? 0 : Double(choice.count { $0 > 0 }) / Double(choice.count)
  }

  var isEmpty: Bool { weights.isEmpty }

  /// Photosites along a block, in complete patterns.
  static func side(_ channels: SampleChannels) -> Int {
    let side = channels.size.area > smallArea ? sides.large : sides.small
    return channels.patternWidth % 3 == 0 ? side * 3 / 2 : side
  }

  /// From frames, the shortest first, given as blocks row by row; `limits`: the value from which on
  /// each is saturated; `balance`: gains that make a neutral gray.
  init(
    _ frames: [[Block]], limits: [SIMD4<Float>], size: PixelSize, side: Int, reference: Int,
    channelCount: Int, balance: SIMD4<Float> = SIMD4(repeating: 1)
  ) {
    (self.size, self.side) = (size, side)
    let difference = Self.difference(frames, limits, size, reference, channelCount)
    var regions = Self.regions(difference, size)
    var choice = [UInt8](repeating: 0, count: size.area)
    var fills: [Int: SIMD4<Float>] = [:]
    let limit = limits[reference]
    let neutral = (0..<channelCount).map { limit[$0] * balance[$0] }.max() ?? 0
    for (index, region) in regions.enumerated() {
      let grown = Self.grown(region, size)
      regions[index] = grown
      for block in grown {
        let source = Self.source(frames, limit, block, reference)
        choice[block] = UInt8(source + 1)
        let own = frames[source][block]
        guard source == reference, !own.isUsable else { continue }
        let isWhite = (0..<channelCount).allSatisfy { own.peak[$0] >= limit[$0] }
        fills[block] = isWhite ? neutral / balance : limit
      }
    }
    (self.choice, self.fills) = (choice, fills)
    guard !regions.isEmpty else {
      weights = []
      return
    }
    weights = frames.indices.map { frame in
      let own = choice.map { Float($0 == 0 || $0 == UInt8(frame + 1) ? 1 : 0) }
      return Self.blurred(own, size)
    }
  }

  private static func difference(
    _ frames: [[Block]], _ limits: [SIMD4<Float>], _ size: PixelSize, _ reference: Int,
    _ channelCount: Int
  ) -> [Float] {
    // Of two that are as near, the shorter: it is saturated less.
    let order = frames.indices.sorted {
      (abs($0 - reference), $0) < (abs($1 - reference), $1)
    }
    let bases = (0..<size.area).map { i in order.first { frames[$0][i].isUsable } }
    var result = [Float](repeating: 0, count: size.area)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = y * size.width + x
        guard let base = bases[i] else { continue }
        let own = frames[base][i]
        var (low, high, peak) = (own.mean, own.mean, own.peak)
        for v in max(y - 1, 0)...min(y + 1, size.height - 1) {
          for u in max(x - 1, 0)...min(x + 1, size.width - 1) {
            let near = frames[base][v * size.width + u]
            guard near.isUsable else { continue }
            low = pointwiseMin(low, near.mean)
            high = pointwiseMax(high, near.mean)
            peak = pointwiseMax(peak, near.peak)
          }
        }
        let edge = (high - low) * edges
        for frame in frames.indices where frame != base {
          let other = frames[frame][i]
          if other.isSaturated {
            // It should not be, by what the base shows here and around.
            let reached = peak * saturated
            if (0..<channelCount).allSatisfy({ reached[$0] < limits[frame][$0] }) {
              result[i] = maxDifference
            }
          }
          guard other.isUsable else { continue }
          let change = other.mean - own.mean
          let level = pointwiseMax(other.mean, own.mean) * relative
          let allowed = own.variance + other.variance + edge * edge + level * level
          var sum: Float = 0
          for c in 0..<channelCount { sum += change[c] * change[c] / max(allowed[c], 1e-30) }
          result[i] = max(result[i], min(sum / Float(channelCount), maxDifference))
        }
      }
    }
    return blurred(result, size, times: 1)
  }

  /// Blocks of each region, row by row.
  private static func regions(_ difference: [Float], _ size: PixelSize) -> [[Int]] {
    var isSeen = [Bool](repeating: false, count: size.area)
    var regions: [[Int]] = []
    for start in difference.indices where !isSeen[start] && difference[start] > strong {
      var (region, waiting) = ([Int](), [start])
      isSeen[start] = true
      while let block = waiting.popLast() {
        region.append(block)
        let (x, y) = (block % size.width, block / size.width)
        for v in max(y - 1, 0)...min(y + 1, size.height - 1) {
          for u in max(x - 1, 0)...min(x + 1, size.width - 1) {
            let next = v * size.width + u
            guard !isSeen[next], difference[next] > weak else { continue }
            isSeen[next] = true
            waiting.append(next)
          }
        }
      }
      if region.count >= minBlocks { regions.append(region.sorted()) }
    }
    return regions
  }

  /// The region with ``margin`` blocks around it.
  private static func grown(_ region: [Int], _ size: PixelSize) -> [Int] {
    var blocks = Set(region)
    for block in region {
      let (x, y) = (block % size.width, block / size.width)
      for v in max(y - margin, 0)...min(y + margin, size.height - 1) {
        for u in max(x - margin, 0)...min(x + margin, size.width - 1) {
          blocks.insert(v * size.width + u)
        }
      }
    }
    return blocks.sorted()
  }

  /// The reference, or, where it is saturated in `block`, from `limit` on, the longest shorter
  /// frame that is unsaturated and as bright there: a darker one shows another object.
  private static func source(
    _ frames: [[Block]], _ limit: SIMD4<Float>, _ block: Int, _ reference: Int
  ) -> Int {
    let own = frames[reference][block]
    if own.isUsable { return reference }
    return (0..<reference).last {
      let isReached = frames[$0][block].peak * saturated .>= limit
      return frames[$0][block].isUsable && all(isReached .| (own.peak .< limit))
    } ?? reference
  }

  /// Means of 3 × 3, `times` times.
  private static func blurred(_ values: [Float], _ size: PixelSize, times: Int = 2) -> [Float] {
    var values = values
    for _ in 0..<times {
      let source = values
      for y in 0..<size.height {
        for x in 0..<size.width {
          var sum: Float = 0
          for v in y - 1...y + 1 {
            let row = min(max(v, 0), size.height - 1) * size.width
            for u in x - 1...x + 1 { sum += source[row + min(max(u, 0), size.width - 1)] }
          }
          values[y * size.width + x] = sum / 9
        }
      }
    }
    return values
  }

  /// Multiplies the trust in `width` pixels of row `y` of frame `frame`, `perPixel` samples each.
  func apply(
    _ frame: Int, row y: Int, width: Int, perPixel: Int, to trust: UnsafeMutablePointer<Float>
  ) {
    guard !isEmpty else { return }
    let weights = weights[frame]
    let at = (Float(y) + 0.5) / Float(side) - 0.5
    let top = min(max(Int(at.rounded(.down)), 0), size.height - 1)
    let below = min(top + 1, size.height - 1)
    let down = min(max(at - Float(top), 0), 1)
    let line = (0..<size.width).map { x in
      weights[top * size.width + x] * (1 - down) + weights[below * size.width + x] * down
    }
    guard line.contains(where: { $0 < 1 }) else { return }
    for x in 0..<width {
      let at = (Float(x) + 0.5) / Float(side) - 0.5
      let left = min(max(Int(at.rounded(.down)), 0), size.width - 1)
      let right = min(left + 1, size.width - 1)
      let across = min(max(at - Float(left), 0), 1)
      let fraction = line[left] * (1 - across) + line[right] * across
      for sample in 0..<perPixel { trust[x * perPixel + sample] *= fraction }
    }
  }

  /// Fills the saturated samples of row `y` where only the reference can provide them: where its
  /// samples `own` are not below `limit`.
  func fill(
    _ row: UnsafeMutablePointer<Float>, y: Int, channels: SampleChannels,
    own: UnsafePointer<Float>, limit: SIMD4<Float>
  ) {
    guard !fills.isEmpty else { return }
    let first = min(y / side, size.height - 1) * size.width
    for column in 0..<size.width {
      guard let value = fills[first + column] else { continue }
      let end = column == size.width - 1 ? channels.size.width : (column + 1) * side
      for sample in column * side * channels.perPixel..<end * channels.perPixel {
        let channel = channels.channel(sample, y)
        if own[sample] >= limit[channel] { row[sample] = value[channel] }
      }
    }
  }
}
