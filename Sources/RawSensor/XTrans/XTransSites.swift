import RawData

/// The kinds of photosite in Fujifilm's X-Trans pattern, found from the pattern itself, so that any
/// of its 36 offsets works.
///
/// The pattern consists of 3 × 3 blocks with a diagonal cross of greens: four greens at the
/// corners, a solitary one in the center, and at its sides two reds and two blues, which swap
/// from block to block.
struct XTransSites: Sendable {
  enum Site: Sendable {
    /// Green in the center of a block; `horizontal` is the channel at its left and right, the other
    /// is above and below.
    case solitary(horizontal: Int)
    /// Red or blue at the side of a block; (`ux`, `uy`) points to the solitary green.
    case chroma(channel: Int, ux: Int, uy: Int)
    /// Green at the corner of a block; (`ax`, `ay`) points to the solitary green.
    case corner(ax: Int, ay: Int)
  }

  private let channels: [Int]
  private let sites: [Site]

  /// Nil for other patterns.
  init?(_ cfa: CFA) {
    guard cfa.kind == .xTrans else { return nil }
    var sites: [Site] = []
    for y in 0..<6 {
      for x in 0..<6 {
        guard let site = Self.classify(cfa, x, y) else { return nil }
        sites.append(site)
      }
    }
    channels = (0..<36).map { cfa.channel(x: $0 % 6, y: $0 / 6) }
    self.sites = sites
  }

  /// The site at column phase `phase` of row `y`.
  func site(_ phase: Int, _ y: Int) -> Site { sites[floorModulo(y, 6) * 6 + phase] }

  /// The filter `dx` columns and `dy` rows from column phase `phase` of row `y`.
  @inline(__always)
  func channel(_ phase: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Int {
    channels[floorModulo(y &+ dy, 6) &* 6 &+ floorModulo(phase &+ dx, 6)]
  }

  private static let sides = [(1, 0), (-1, 0), (0, 1), (0, -1)]
  private static let corners = [(1, 1), (-1, 1), (1, -1), (-1, -1)]

  private static func isSolitary(_ cfa: CFA, _ x: Int, _ y: Int) -> Bool {
    cfa.channel(at: x, y) == 1 && sides.allSatisfy { cfa.channel(at: x + $0.0, y + $0.1) != 1 }
  }

  private static func classify(_ cfa: CFA, _ x: Int, _ y: Int) -> Site? {
    let own = cfa.channel(at: x, y)
    if own == 1 {
      if isSolitary(cfa, x, y) {
        let (left, above) = (cfa.channel(at: x - 1, y), cfa.channel(at: x, y - 1))
        guard left == cfa.channel(at: x + 1, y), above == cfa.channel(at: x, y + 1), left != above
        else {
          return nil
        }
        return .solitary(horizontal: left)
      }
      let inward = corners.filter { isSolitary(cfa, x + $0.0, y + $0.1) }
      guard inward.count == 1 else { return nil }
      return .corner(ax: inward[0].0, ay: inward[0].1)
    }
    let inward = sides.filter { isSolitary(cfa, x + $0.0, y + $0.1) }
    guard inward.count == 1 else { return nil }
    let (ux, uy) = inward[0]
    guard cfa.channel(at: x - ux, y - uy) == 2 - own, cfa.channel(at: x + 2 * ux, y + 2 * uy) == own
    else { return nil }
    return .chroma(channel: own, ux: ux, uy: uy)
  }
}
