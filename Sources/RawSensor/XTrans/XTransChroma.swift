import CVector
import ImageCore

/// Red and blue of each candidate, for ``XTransDemosaic``: always the green plus a mean of color
/// differences, never below zero.
extension XTransDemosaic {
  /// Samples of a color and of green on both sides of a photosite.
  private struct Pair {
    let colorA: MutableRowView
    let colorB: MutableRowView
    let greenA: MutableRowView
    let greenB: MutableRowView

    @inline(__always) func differenceA(_ i: Int) -> SIMD8<Float> {
      colorA.lanes(i) - greenA.lanes(i)
    }
    @inline(__always) func differenceB(_ i: Int) -> SIMD8<Float> {
      colorB.lanes(i) - greenB.lanes(i)
    }
  }

  private func pair(
    _ work: LatticePlanes, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int,
    _ a: (Int, Int), _ b: (Int, Int)
  ) -> Pair {
    Pair(
      colorA: samples(work, candidate, channel, y, phase, a.0, a.1),
      colorB: samples(work, candidate, channel, y, phase, b.0, b.1),
      greenA: samples(work, candidate, 1, y, phase, a.0, a.1),
      greenB: samples(work, candidate, 1, y, phase, b.0, b.1))
  }

  /// Step 2: a solitary green has one color beside it and the other two away, on both axes. The
  /// first two candidates take their own axis; the diagonal ones that on which color difference
  /// and green vary less.
  func chromaAtSolitary(_ work: LatticePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
    guard case .solitary(let horizontal) = sites.site(phase, y) else { return }
    let vertical = 2 - horizontal
    let rowNear = pair(work, candidate, horizontal, y, phase, (1, 0), (-1, 0))
    let rowFar = pair(work, candidate, vertical, y, phase, (2, 0), (-2, 0))
    let columnNear = pair(work, candidate, vertical, y, phase, (0, 1), (0, -1))
    let columnFar = pair(work, candidate, horizontal, y, phase, (0, 2), (0, -2))
    let green = work.row(Self.mosaicPlane, y, phase)
    let outHorizontal = work.row(plane(candidate, horizontal), y, phase)
    let outVertical = work.row(plane(candidate, vertical), y, phase)
    let kind = candidate & 3
    let zero = SIMD8<Float>(repeating: 0)
    for i in vectors(work.count) {
      let g = green.lanes(i)
      // Positive: the column varies more, take the row.
      let preference: SIMD8<Float>
      if kind < 2 {
        preference = SIMD8(repeating: kind == 0 ? 1 : -1)
      } else {
        let byColumn = variation(columnNear, g, i) + variation(columnFar, g, i)
        preference = byColumn - variation(rowNear, g, i) - variation(rowFar, g, i)
      }
      let first = select(preference .>= 0, mean(rowNear, i), mean(columnFar, i))
      let second = select(preference .>= 0, mean(rowFar, i), mean(columnNear, i))
      outHorizontal.setLanes(i, cv_max8(g + first, zero))
      outVertical.setLanes(i, cv_max8(g + second, zero))
    }
  }

  @inline(__always)
  private func mean(_ pair: Pair, _ i: Int) -> SIMD8<Float> {
    (pair.differenceA(i) + pair.differenceB(i)) * 0.5
  }

  @inline(__always)
  private func variation(_ pair: Pair, _ green: SIMD8<Float>, _ i: Int) -> SIMD8<Float> {
    let change = pair.differenceA(i) - pair.differenceB(i)
    let curvature = green * 2 - pair.greenA.lanes(i) - pair.greenB.lanes(i)
    return change * change + curvature * curvature
  }

  /// Step 3: blue at red and red at blue, from the solitary green and the other color on the line
  /// u; the candidate across it takes the other color three away on both sides, unless green
  /// changes at least twice as much on the way.
  func oppositeChroma(_ work: LatticePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
    guard case .chroma(let own, let ux, let uy) = sites.site(phase, y) else { return }
    let (vx, vy) = (uy, ux)
    let channel = 2 - own
    let close = pair(work, candidate, channel, y, phase, (ux, uy), (-ux, -uy))
    let green = work.row(plane(candidate, 1), y, phase)
    let out = work.row(plane(candidate, channel), y, phase)
    let zero = SIMD8<Float>(repeating: 0)
    if direction(vx, vy) == candidate & 3 {
      let wide = pair(work, candidate, channel, y, phase, (3 * vx, 3 * vy), (-3 * vx, -3 * vy))
      for i in vectors(work.count) {
        let g = green.lanes(i)
        let closeChange =
          cv_abs8(g - close.greenA.lanes(i)) + cv_abs8(g - close.greenB.lanes(i))
        let wideChange = cv_abs8(g - wide.greenA.lanes(i)) + cv_abs8(g - wide.greenB.lanes(i))
        let difference = select(closeChange - wideChange * 2 .>= 0, mean(wide, i), mean(close, i))
        out.setLanes(i, cv_max8(g + difference, zero))
      }
    } else {
      for i in vectors(work.count) {
        out.setLanes(i, cv_max8(green.lanes(i) + mean(close, i), zero))
      }
    }
  }

  /// Step 4: greens at the corners of a block, from the two nearest photosites of the line that
  /// are no corners: one step inward and two outward, weighted two to one, or one step on both
  /// sides.
  func chromaAtCorner(_ work: LatticePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
    guard case .corner(let ax, let ay) = sites.site(phase, y) else { return }
    let near: (Int, Int)
    let far: (Int, Int)
    switch candidate & 3 {
    case 0: (near, far) = ((ax, 0), (-2 * ax, 0))
    case 1: (near, far) = ((0, ay), (0, -2 * ay))
    case direction(ax, ay): (near, far) = ((ax, ay), (-2 * ax, -2 * ay))
    default: (near, far) = ((ax, -ay), (-ax, ay))
    }
    let isEven = far == (-near.0, -near.1)
    let (nearWeight, farWeight): (Float, Float) = isEven ? (0.5, 0.5) : (2.0 / 3, 1.0 / 3)
    let green = work.row(Self.mosaicPlane, y, phase)
    let zero = SIMD8<Float>(repeating: 0)
    for channel in [0, 2] {
      let pair = pair(work, candidate, channel, y, phase, near, far)
      let out = work.row(plane(candidate, channel), y, phase)
      for i in vectors(work.count) {
        let difference = pair.differenceA(i) * nearWeight + pair.differenceB(i) * farWeight
        out.setLanes(i, cv_max8(green.lanes(i) + difference, zero))
      }
    }
  }
}
