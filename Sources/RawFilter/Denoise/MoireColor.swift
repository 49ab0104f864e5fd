import CVector
import ImageCore

/// Color without fine detail for ``MoireReduction``: at a quarter of the size the mean of 5 × 5
/// pixels, each counting by how near its brightness is, 1 / (1 + (difference / softness)²).
enum MoireColor {
  /// Quarter-size pixels that are read around each.
  static let reach = 2
  /// In standard deviations of noise.
  private static let softness: Float = 8

  /// Fills planes 1 and 2 of `work.smoothed` over `tile` from level 0 of `work`.
  static func spread(_ work: NoiseWorkspace, tile: PixelRect, half: PixelRect, quarter: PixelRect) {
    let levels = work.levels
    levels[2].place(quarter.expanded(by: reach))
    levels[1].place(levels[2].rect.doubleSize)
    NoisePyramid.halve(levels[0], into: levels[1], planes: 0..<3)
    NoisePyramid.halve(levels[1], into: levels[2], planes: 0..<3)
    work.coarse.place(quarter)
    average(levels[2], into: work.coarse)
    NoisePyramid.enlarge(work.coarse, into: work.change, half, planes: 1..<3, line: work.line)
    NoisePyramid.enlarge(work.change, into: work.smoothed, tile, planes: 1..<3, line: work.line)
  }

  private static func average(_ layer: NoiseLayer, into out: NoiseLayer) {
    let rect = out.rect
    let one = SIMD8<Float>(repeating: 1)
    for y in rect.y..<rect.endY {
      let rows = (0..<3).map { plane in
        (-reach...reach).map { layer.at(plane, rect.x, y + $0) }
      }
      let (u, v) = (out.at(1, rect.x, y), out.at(2, rect.x, y))
      for x in vectors(rect.width) {
        let center = rows[0][reach].lanes(x)
        var (sumU, sumV, weights) = (one - one, one - one, one - one)
        for row in 0...2 * reach {
          for dx in -reach...reach {
            let difference = (rows[0][row].lanes(x &+ dx) - center) * (1 / softness)
            let weight = one / (one + difference * difference)
            sumU += rows[1][row].lanes(x &+ dx) * weight
            sumV += rows[2][row].lanes(x &+ dx) * weight
            weights += weight
          }
        }
        u.setLanes(x, sumU / weights)
        v.setLanes(x, sumV / weights)
      }
    }
  }
}
