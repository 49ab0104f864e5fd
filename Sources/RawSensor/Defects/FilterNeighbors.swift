import ImageCore
import RawData

/// The filter of each position of a color filter pattern and its neighbors of the same one, for the
/// stages that process single photosites.
struct FilterNeighbors: Sendable {
  /// A photosite relative to another.
  struct Offset: Sendable {
    let dx: Int
    let dy: Int
  }

  private static let minSame = 8
  /// A period of X-Trans, whose columns and rows may hold a single red or blue in each.
  static let widest = 6

  let width: Int
  let height: Int
  /// Row by row.
  private let channels: [Int]
  private let sameOffsets: [[Offset]]

  init(_ cfa: CFA) {
    (width, height) = (cfa.width, cfa.height)
    channels = cfa.channels.map(Int.init)
    sameOffsets = (0..<cfa.width * cfa.height).map {
      Self.same(cfa, x: $0 % cfa.width, y: $0 / cfa.width)
    }
  }

  /// Photosites of the same channel, the nearest first: those within two rows and columns, or
  /// within ``widest`` where these are fewer than eight.
  func same(x: Int, y: Int) -> [Offset] {
    sameOffsets[index(x: x, y: y)]
  }

  /// The channel of the photosite at column `x`, row `y`.
  func channel(x: Int, y: Int) -> Int { channels[index(x: x, y: y)] }

  private func index(x: Int, y: Int) -> Int {
    floorModulo(y, height) * width + floorModulo(x, width)
  }

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
}
