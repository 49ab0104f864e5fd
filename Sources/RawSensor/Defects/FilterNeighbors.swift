import ImageCore
import RawDecode

/// The neighbors of each position of a color filter pattern and their filters, for the stages that
/// process single photosites. Sites are plain values in memory of their own, because some stages
/// read millions of them.
final class FilterNeighbors: @unchecked Sendable {
  /// A photosite relative to another.
  struct Offset: Sendable {
    let dx: Int
    let dy: Int
  }

  /// The surroundings of one position of the pattern.
  struct Site: Sendable {
    let channel: Int
    /// One for the channel of that photosite, zero for the others; row by row, without the center.
    let aboveLeft: SIMD4<Float>
    let above: SIMD4<Float>
    let aboveRight: SIMD4<Float>
    let left: SIMD4<Float>
    let right: SIMD4<Float>
    let belowLeft: SIMD4<Float>
    let below: SIMD4<Float>
    let belowRight: SIMD4<Float>
    /// One over the number of photosites of each channel among the nine; zero where there is none.
    let reciprocalCounts: SIMD4<Float>
    /// For each channel among the nine other than that of the center one over their number.
    let opposingWeights: SIMD4<Float>
  }

  private static let minSame = 8
  /// A period of X-Trans, whose columns and rows may hold a single red or blue in each.
  static let widest = 6

  let width: Int
  let height: Int
  /// Row by row.
  private let sites: PixelStorage<Site>
  private let sameOffsets: [[Offset]]

  init(_ cfa: CFA) throws(PixelError) {
    width = cfa.width
    height = cfa.height
    let count = cfa.width * cfa.height
    sites = try PixelStorage(count: count, repeating: Self.site(cfa, x: 0, y: 0))
    for index in 0..<count {
      sites.start[index] = Self.site(cfa, x: index % cfa.width, y: index / cfa.width)
    }
    sameOffsets = (0..<count).map {
      Self.same(cfa, x: $0 % cfa.width, y: $0 / cfa.width)
    }
  }

  /// The surroundings of the photosite at column `x`, row `y`, which may be negative; valid as long
  /// as this object.
  @inline(__always)
  func site(x: Int, y: Int) -> UnsafePointer<Site> {
    UnsafePointer(sites.start + (floorModulo(y, height) &* width &+ floorModulo(x, width)))
  }

  /// Photosites of the same channel, the nearest first: those within two rows and columns, or
  /// within ``widest`` where these are fewer than eight.
  func same(x: Int, y: Int) -> [Offset] {
    sameOffsets[floorModulo(y, height) * width + floorModulo(x, width)]
  }

  /// The channel of the photosite at column `x`, row `y`.
  func channel(x: Int, y: Int) -> Int { site(x: x, y: y).pointee.channel }

  private static func same(_ cfa: CFA, x: Int, y: Int) -> [Offset] {
    let own = cfa.channel(x: x, y: y)
    var same: [Offset] = []
    for radius in [2, widest] where same.count < minSame {
      same.removeAll()
      for dy in -radius...radius {
        for dx in -radius...radius
        where (dx != 0 || dy != 0) && cfa.channel(at: x + dx, y + dy) == own {
          same.append(Offset(dx: dx, dy: dy))
        }
      }
    }
    same.sort { a, b in
      (a.dx * a.dx + a.dy * a.dy, a.dy, a.dx) < (b.dx * b.dx + b.dy * b.dy, b.dy, b.dx)
    }
    return same
  }

  private static func site(_ cfa: CFA, x: Int, y: Int) -> Site {
    let own = cfa.channel(x: x, y: y)
    var oneHot: [SIMD4<Float>] = []
    var counts = SIMD4<Float>()
    for dy in -1...1 {
      for dx in -1...1 {
        var entry = SIMD4<Float>()
        entry[cfa.channel(at: x + dx, y + dy)] = 1
        oneHot.append(entry)
        counts += entry
      }
    }
    var reciprocals = SIMD4<Float>()
    var opposing = SIMD4<Float>()
    for c in 0..<4 where counts[c] > 0 {
      reciprocals[c] = 1 / counts[c]
      if c != own { opposing[c] = 1 }
    }
    let others = opposing.sum()
    return Site(
      channel: own, aboveLeft: oneHot[0], above: oneHot[1], aboveRight: oneHot[2],
      left: oneHot[3], right: oneHot[5], belowLeft: oneHot[6], below: oneHot[7],
      belowRight: oneHot[8], reciprocalCounts: reciprocals,
      opposingWeights: others > 0 ? opposing / others : opposing)
  }
}
