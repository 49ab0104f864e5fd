import CVector
import ImageCore

/// Green at red and blue photosites, for ``XTransDemosaic``.
///
/// With u to the solitary green and v across, the six nearest greens are ±v, u, −2u and −u ± v.
extension XTransDemosaic {
  /// Weights of step 1, rounded from whole 256ths; in even areas those of each candidate sum to 1.
  private enum Weight {
    /// Along v: each green at ±v, less this much of those at ±2v.
    static let green: Float = 0.6797
    static let ownColor: Float = 0.1797
    /// Along u: the near and the far green.
    static let near: Float = 0.8711
    static let far: Float = 0.1289
    /// Along u: the change of the own color on the way.
    static let slope: Float = 0.3594
    /// Along a diagonal: the near and the far green, and the second difference of the own color.
    static let diagonalNear: Float = 0.6406
    static let diagonalFar: Float = 0.3594
    static let curvature: Float = 0.1289
  }

  /// Step 1: along v from four greens, along u from a near and a far one with the curvature of the
  /// own color, along the diagonals likewise; none beyond the range of the six.
  func greenCandidates(_ work: LatticePlanes, _ y: Int, _ phase: Int) {
    guard case .chroma(_, let ux, let uy) = sites.site(phase, y) else { return }
    let (vx, vy) = (uy, ux)
    let m = work.row(Self.mosaicPlane, y, phase)
    let (v1, v2) = (work.offset(phase, vx, vy), work.offset(phase, -vx, -vy))
    let (vv1, vv2) = (work.offset(phase, 2 * vx, 2 * vy), work.offset(phase, -2 * vx, -2 * vy))
    let (near, far) = (work.offset(phase, ux, uy), work.offset(phase, -2 * ux, -2 * uy))
    let beyond = work.offset(phase, 2 * ux, 2 * uy)
    let (ax, ay, bx, by) = (vx - ux, vy - uy, -vx - ux, -vy - uy)
    let a = Diagonal(work, phase, ax, ay)
    let b = Diagonal(work, phase, bx, by)
    let alongV = work.row(plane(direction(vx, vy), 1), y, phase)
    let alongU = work.row(plane(direction(ux, uy), 1), y, phase)
    let alongA = work.row(plane(direction(ax, ay), 1), y, phase)
    let alongB = work.row(plane(direction(bx, by), 1), y, phase)
    for i in vectors(work.count) {
      let own = m.lanes(i)
      let (g1, g2) = (m.lanes(i &+ v1), m.lanes(i &+ v2))
      let (gNear, gFar) = (m.lanes(i &+ near), m.lanes(i &+ far))
      let (gA, gB) = (m.lanes(i &+ a.near), m.lanes(i &+ b.near))
      let low = cv_min8(cv_min8(cv_min8(g1, g2), cv_min8(gNear, gFar)), cv_min8(gA, gB))
      let high = cv_max8(cv_max8(cv_max8(g1, g2), cv_max8(gNear, gFar)), cv_max8(gA, gB))
      let outer = m.lanes(i &+ vv1) + m.lanes(i &+ vv2)
      alongV.setLanes(i, cv_clamp8((g1 + g2) * Weight.green - outer * Weight.ownColor, low, high))
      let slope = (own - m.lanes(i &+ beyond)) * Weight.slope
      alongU.setLanes(i, cv_clamp8(gNear * Weight.near + gFar * Weight.far + slope, low, high))
      alongA.setLanes(i, cv_clamp8(a.estimate(m, i, own, gA), low, high))
      alongB.setLanes(i, cv_clamp8(b.estimate(m, i, own, gB), low, high))
    }
  }

  /// The offsets of a diagonal candidate along h: a green at h and one at −2h, and the own color
  /// at ±3h.
  private struct Diagonal {
    let near: Int
    let far: Int
    let ownAhead: Int
    let ownBehind: Int

    init(_ work: LatticePlanes, _ phase: Int, _ dx: Int, _ dy: Int) {
      near = work.offset(phase, dx, dy)
      far = work.offset(phase, -2 * dx, -2 * dy)
      ownAhead = work.offset(phase, 3 * dx, 3 * dy)
      ownBehind = work.offset(phase, -3 * dx, -3 * dy)
    }

    @inline(__always)
    func estimate(
      _ m: MutableRowView, _ i: Int, _ own: SIMD8<Float>, _ green: SIMD8<Float>
    ) -> SIMD8<Float> {
      let curvature = own * 2 - m.lanes(i &+ ownAhead) - m.lanes(i &+ ownBehind)
      return green * Weight.diagonalNear + m.lanes(i &+ far) * Weight.diagonalFar
        + curvature * Weight.curvature
    }
  }

  /// Later passes: green as the own color plus the color difference at the two greens of the
  /// line, two to one. Across v, where no green has the difference, the first candidate stays.
  func refineGreen(
    _ work: LatticePlanes, _ y: Int, _ phase: Int, _ candidate: Int, from previous: Int
  ) {
    guard case .chroma(let channel, let ux, let uy) = sites.site(phase, y) else { return }
    let (vx, vy) = (uy, ux)
    let lines = [(ux, uy), (vx - ux, vy - uy), (-vx - ux, -vy - uy)]
    guard let (hx, hy) = lines.first(where: { direction($0.0, $0.1) == candidate - 4 }) else {
      return
    }
    let m = work.row(Self.mosaicPlane, y, phase)
    let greens = [
      (vx, vy), (-vx, -vy), (ux, uy), (-2 * ux, -2 * uy), (vx - ux, vy - uy),
      (-vx - ux, -vy - uy),
    ].map { work.offset(phase, $0.0, $0.1) }
    let (near, far) = (
      work.offset(phase, hx, hy), work.offset(phase, -2 * hx, -2 * hy)
    )
    let nearChroma = samples(work, previous, channel, y, phase, hx, hy)
    let farChroma = samples(work, previous, channel, y, phase, -2 * hx, -2 * hy)
    let out = work.row(plane(candidate, 1), y, phase)
    for i in vectors(work.count) {
      let nearGreen = m.lanes(i &+ near) - nearChroma.lanes(i)
      let farGreen = m.lanes(i &+ far) - farChroma.lanes(i)
      let estimate = (nearGreen * 2 + farGreen) * (1.0 / 3) + m.lanes(i)
      var (low, high) = (m.lanes(i &+ greens[0]), m.lanes(i &+ greens[0]))
      for green in greens {
        low = cv_min8(low, m.lanes(i &+ green))
        high = cv_max8(high, m.lanes(i &+ green))
      }
      out.setLanes(i, cv_clamp8(estimate, low, high))
    }
  }
}
