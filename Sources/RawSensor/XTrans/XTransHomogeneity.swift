import CVector
import ImageCore

/// The last step of ``XTransDemosaic``: the mean of the most homogeneous candidates.
extension XTransDemosaic {
  /// Squared second difference of a candidate along its own direction, in luma and two color
  /// differences (BT.2020 weights); with CIELAB the result is visually the same.
  func curvature(_ work: PolyphasePlanes, _ candidate: Int, _ inset: Int) {
    for y in work.rect.y + inset..<work.rect.endY - inset {
      for phase in 0..<6 { lumaAndDifferences(work, candidate, y, phase) }
    }
    let (dx, dy) = [(1, 0), (0, 1), (1, 1), (1, -1)][candidate & 3]
    for y in work.rect.y + inset + 1..<work.rect.endY - inset - 1 {
      for phase in 0..<6 {
        let (ahead, behind) = (work.offset(phase, dx, dy), work.offset(phase, -dx, -dy))
        let luma = work.row(lumaPlane, y, phase)
        let blue = work.row(lumaPlane + 1, y, phase)
        let red = work.row(lumaPlane + 2, y, phase)
        let out = work.row(curvaturePlane(candidate), y, phase)
        for i in vectors(work.count) {
          let a = secondDifference(luma, i, ahead, behind)
          let b = secondDifference(blue, i, ahead, behind)
          let c = secondDifference(red, i, ahead, behind)
          out.setLanes(i, a * a + b * b + c * c)
        }
      }
    }
  }

  @inline(__always)
  private func secondDifference(
    _ p: MutableRowView, _ i: Int, _ ahead: Int, _ behind: Int
  ) -> SIMD8<Float> {
    p.lanes(i) * 2 - p.lanes(i &+ ahead) - p.lanes(i &+ behind)
  }

  private func lumaAndDifferences(
    _ work: PolyphasePlanes, _ candidate: Int, _ y: Int, _ phase: Int
  ) {
    let r = samples(work, candidate, 0, y, phase, 0, 0)
    let g = samples(work, candidate, 1, y, phase, 0, 0)
    let b = samples(work, candidate, 2, y, phase, 0, 0)
    let luma = work.row(lumaPlane, y, phase)
    let blue = work.row(lumaPlane + 1, y, phase)
    let red = work.row(lumaPlane + 2, y, phase)
    for i in vectors(work.count) {
      let (vr, vb) = (r.lanes(i), b.lanes(i))
      let v = vr * 0.2627 + g.lanes(i) * 0.6780 + vb * 0.0593
      luma.setLanes(i, v)
      blue.setLanes(i, (vb - v) * 0.56433)
      red.setLanes(i, (vr - v) * 0.67815)
    }
  }

  /// The number of pixels in 3 × 3 whose curvature is at most eight times the smallest of all
  /// candidates at the center.
  func homogeneity(_ work: PolyphasePlanes, _ y: Int, _ phase: Int) {
    let curvatures = (0..<candidates).map { work.row(curvaturePlane($0), y, phase) }
    let outs = (0..<candidates).map { work.row(homogeneityPlane($0), y, phase) }
    let around = (0..<9).map { work.offset(phase, $0 % 3 - 1, $0 / 3 - 1) }
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    for i in vectors(work.count) {
      var limit = curvatures[0].lanes(i)
      for candidate in 1..<candidates { limit = cv_min8(limit, curvatures[candidate].lanes(i)) }
      limit *= 8
      for candidate in 0..<candidates {
        let p = curvatures[candidate].from(i)
        var count = zero
        for offset in around { count += select(limit - p.lanes(offset) .>= 0, one, zero) }
        outs[candidate].setLanes(i, count)
      }
    }
  }

  /// Writes row `y`: the mean of the candidates whose homogeneity, summed over 5 × 5, is at least
  /// seven eighths of the best.
  func choose(
    _ work: PolyphasePlanes, _ y: Int, _ rect: PixelRect, _ buffer: PlanarBuffer,
    _ origin: PixelPoint
  ) {
    sumColumns(work, y)
    for phase in 0..<6 {
      let sums = (0..<candidates).map { work.row(curvaturePlane($0), work.rect.y, phase) }
      let colors = (0..<candidates * 3).map {
        samples(work, $0 / 3, $0 % 3, y, phase, 0, 0)
      }
      let outs = (0..<3).map { work.row(lumaPlane + $0, y, phase) }
      let around = (0..<5).map { work.offset(phase, $0 - 2, 0) }
      choosePhase(work.count, sums, colors, outs, around)
    }
    let shift = rect.x - work.rect.x
    for channel in 0..<3 {
      let out = buffer.row(channel, y - origin.y).from(rect.x - origin.x)
      for phase in 0..<6 {
        let source = work.row(lumaPlane + channel, y, phase)
        var x = floorModulo(phase - shift, 6)
        while x < rect.width {
          out[x] = source[(x &+ shift) / 6]
          x &+= 6
        }
      }
    }
  }

  /// Sums the homogeneity of rows y − 2 to y + 2 into the first row of the curvature planes, which
  /// are not needed any more.
  private func sumColumns(_ work: PolyphasePlanes, _ y: Int) {
    for candidate in 0..<candidates {
      for phase in 0..<6 {
        let out = work.row(curvaturePlane(candidate), work.rect.y, phase)
        let p = work.row(homogeneityPlane(candidate), y, phase)
        let step = work.offset(phase, 0, 1)
        for i in vectors(work.count) {
          let outer = p.lanes(i &- 2 &* step) + p.lanes(i &+ 2 &* step)
          let inner = p.lanes(i &- step) + p.lanes(i &+ step)
          out.setLanes(i, outer + inner + p.lanes(i))
        }
      }
    }
  }

  private func choosePhase(
    _ count: Int, _ sums: [MutableRowView], _ colors: [MutableRowView],
    _ outs: [MutableRowView], _ around: [Int]
  ) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var scores = [SIMD8<Float>](repeating: zero, count: sums.count)
    for i in vectors(count) {
      var best = zero
      for candidate in 0..<sums.count {
        var sum = zero
        for offset in around { sum += sums[candidate].lanes(i &+ offset) }
        scores[candidate] = sum
        best = cv_max8(best, sum)
      }
      if sums.count == 8 { keepBetterOfPairs(&scores) }
      let threshold = best * 0.875
      var total = zero
      var (r, g, b) = (zero, zero, zero)
      for candidate in 0..<sums.count {
        let weight = select(scores[candidate] - threshold .>= 0, one, zero)
        total += weight
        r += colors[3 &* candidate].lanes(i) * weight
        g += colors[3 &* candidate &+ 1].lanes(i) * weight
        b += colors[3 &* candidate &+ 2].lanes(i) * weight
      }
      let normalization = one / total
      outs[0].setLanes(i, scale.inverse(r * normalization))
      outs[1].setLanes(i, scale.inverse(g * normalization))
      outs[2].setLanes(i, scale.inverse(b * normalization))
    }
  }

  /// Of a first candidate and its refinement along the same direction the less homogeneous one is
  /// rejected.
  private func keepBetterOfPairs(_ scores: inout [SIMD8<Float>]) {
    let rejected = SIMD8<Float>(repeating: -1)
    for candidate in 0..<4 {
      let (first, refined) = (scores[candidate], scores[candidate + 4])
      scores[candidate] = select(first - refined .>= 0, first, rejected)
      scores[candidate + 4] = select(refined - first .>= 0, refined, rejected)
    }
  }
}
