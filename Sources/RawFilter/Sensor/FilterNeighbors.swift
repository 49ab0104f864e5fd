/// For each position of a colour filter pattern, where its neighbours stand and which filter they
/// have: what the stages that look at single photosites need.
struct FilterNeighbors: Sendable {
  /// A photosite relative to another.
  struct Offset: Sendable {
    let dx: Int
    let dy: Int
  }

  /// The surroundings of one position of the pattern.
  struct Site: Sendable {
    let channel: Int
    /// Photosites of the same channel, the nearest first: those within two rows and columns, or
    /// within ``widest`` where these are fewer than eight.
    let same: [Offset]
    /// Nine entries, row by row: one for the channel of that photosite, zero for the others.
    let oneHot: [SIMD4<Float>]
    /// One over how often each channel is among the nine; zero for a channel that is not.
    let reciprocalCounts: SIMD4<Float>
    /// One for each channel among the nine other than that of the centre, divided by their number.
    let opposingWeights: SIMD4<Float>
  }

  private static let leastSame = 8
  /// A period of X-Trans, whose columns and rows may hold a single red or blue in each.
  static let widest = 6

  let width: Int
  let height: Int
  /// Row by row.
  private let sites: [Site]

  init(_ cfa: CFA) {
    width = cfa.width
    height = cfa.height
    sites = (0..<cfa.width * cfa.height).map { index in
      Self.site(cfa, x: index % cfa.width, y: index / cfa.width)
    }
  }

  /// The surroundings of the photosite at column `x`, row `y`, which may be negative.
  func site(x: Int, y: Int) -> Site {
    sites[floorModulo(y, height) * width + floorModulo(x, width)]
  }

  /// The channel of the photosite at column `x`, row `y`.
  func channel(x: Int, y: Int) -> Int { site(x: x, y: y).channel }

  private static func site(_ cfa: CFA, x: Int, y: Int) -> Site {
    func channel(_ dx: Int, _ dy: Int) -> Int {
      cfa.channel(x: floorModulo(x + dx, cfa.width), y: floorModulo(y + dy, cfa.height))
    }
    let own = channel(0, 0)
    var same: [Offset] = []
    for radius in [2, widest] where same.count < leastSame {
      same.removeAll()
      for dy in -radius...radius {
        for dx in -radius...radius where (dx != 0 || dy != 0) && channel(dx, dy) == own {
          same.append(Offset(dx: dx, dy: dy))
        }
      }
    }
    same.sort { a, b in
      (a.dx * a.dx + a.dy * a.dy, a.dy, a.dx) < (b.dx * b.dx + b.dy * b.dy, b.dy, b.dx)
    }
    var oneHot: [SIMD4<Float>] = []
    var counts = SIMD4<Float>()
    for dy in -1...1 {
      for dx in -1...1 {
        var entry = SIMD4<Float>()
        entry[channel(dx, dy)] = 1
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
      channel: own, same: same, oneHot: oneHot, reciprocalCounts: reciprocals,
      opposingWeights: others > 0 ? opposing / others : opposing)
  }
}
