import CVector
import ImageCore
import RawDecode

/// Full color from Fujifilm's X-Trans mosaic.
///
/// Source: Frank Markesteijn's algorithm (2013), from its description: interpolate the whole tile
/// once along each of four directions, (1) green, (2–4) red and blue, then take at each pixel the
/// mean of those candidates whose surroundings are most homogeneous (``homogeneity(_:_:_:)``).
/// Three passes interpolate green a second and third time from the color differences of the first;
/// their candidates compete too: 0.0 to 0.15 dB for three times the time. Domain: values of zero
/// and above, best square roots of balanced values. Reach: 12 photosites, 26 with three passes. The
/// candidates: 0 along the row, 1 along the column, 2 falling to the right, 3 rising. Known
/// failures: color blotches in fine texture near the limit of resolution.
struct XTransDemosaic: Sendable {
  /// Largest tile, whose planes should stay in the cache; the width is a multiple of six.
  static let tileWidth = 384
  static let tileHeight = 128

  let sites: XTransSites
  let scale: DemosaicScale
  let passes: Int

  /// Nil when `cfa` is not an X-Trans pattern.
  init?(_ cfa: CFA, scale: DemosaicScale, passes: Int) {
    guard let sites = XTransSites(cfa) else { return nil }
    self.sites = sites
    self.scale = scale
    self.passes = passes
  }

  /// Photosites that are read around the rectangle written.
  var reach: Int { passes > 1 ? 26 : 12 }
  var candidates: Int { passes > 1 ? 8 : 4 }

  // Planes: the mosaic, then red, green and blue of each candidate, then those of the choice.
  static let mosaicPlane = 0
  func plane(_ candidate: Int, _ channel: Int) -> Int { 1 + 3 * candidate + channel }
  var lumaPlane: Int { 1 + 3 * candidates }
  func curvaturePlane(_ candidate: Int) -> Int { lumaPlane + 3 + candidate }
  func homogeneityPlane(_ candidate: Int) -> Int { lumaPlane + 3 + candidates + candidate }
  private var planeCount: Int { lumaPlane + 3 + 2 * candidates }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the sensor position of its first
  /// pixel. `mosaic` must reach beyond `rect` on each side.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: PolyphasePlanes
  ) {
    work.reshape(rect.expanded(by: reach), planes: planeCount)
    load(mosaic, work)
    // Each step is done as far from the edge of the tile as those before it reach together.
    var inset = 3
    forEachSite(work, inset) { y, phase in greenCandidates(work, y, phase) }
    inset = interpolateChroma(work, 0, inset)
    for pass in 1..<max(passes, 1) {
      if pass == 1 { copyGreen(work) }
      inset += 2
      forEachSite(work, inset) { y, phase in
        for candidate in 4..<8 {
          // The first refinement starts from the colors of the first candidates.
          refineGreen(work, y, phase, candidate, from: pass == 1 ? candidate - 4 : candidate)
        }
      }
      inset = interpolateChroma(work, 4, inset)
    }
    for candidate in 0..<candidates { curvature(work, candidate, inset) }
    forEachSite(work, inset + 2) { y, phase in homogeneity(work, y, phase) }
    for y in rect.y..<rect.endY { choose(work, y, rect, buffer, origin) }
  }

  private func forEachSite(_ work: PolyphasePlanes, _ inset: Int, _ body: (Int, Int) -> Void) {
    for y in work.rect.y + inset..<work.rect.endY - inset {
      for phase in 0..<6 { body(y, phase) }
    }
  }

  /// Red and blue of the four candidates from `first` on, given their green; returns the new inset.
  private func interpolateChroma(_ work: PolyphasePlanes, _ first: Int, _ inset: Int) -> Int {
    let four = first..<first + 4
    forEachSite(work, inset + 2) { y, phase in
      for candidate in four { chromaAtSolitary(work, y, phase, candidate) }
    }
    forEachSite(work, inset + 3) { y, phase in
      for candidate in four { oppositeChroma(work, y, phase, candidate) }
    }
    forEachSite(work, inset + 5) { y, phase in
      for candidate in four { chromaAtCorner(work, y, phase, candidate) }
    }
    return inset + 5
  }

  /// Columns outside the mosaic plane, where the widened tile has some, repeat its edge; no pixel
  /// that is written reaches them.
  private func load(_ mosaic: TilePlane, _ work: PolyphasePlanes) {
    for y in work.rect.y..<work.rect.endY {
      let source = mosaic.row(y)
      let shift = work.rect.x - mosaic.rect.x
      for phase in 0..<6 {
        let out = work.row(Self.mosaicPlane, y, phase)
        for i in 0..<work.count {
          out[i] = source[min(max(shift &+ 6 &* i &+ phase, 0), mosaic.rect.width &- 1)]
        }
        for i in vectors(work.count) {
          out.setLanes(i, scale.forward(out.lanes(i)))
        }
      }
    }
  }

  private func copyGreen(_ work: PolyphasePlanes) {
    for y in work.rect.y..<work.rect.endY {
      for phase in 0..<6 {
        for candidate in 0..<4 {
          work.row(plane(candidate + 4, 1), y, phase).update(
            from: work.row(plane(candidate, 1), y, phase), count: work.count)
        }
      }
    }
  }

  /// The samples of `channel` in a candidate, (`dx`, `dy`) from those of a phase: those of the
  /// mosaic where the filter is that channel's.
  @inline(__always)
  func samples(
    _ work: PolyphasePlanes, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int, _ dx: Int,
    _ dy: Int
  ) -> MutableRowView {
    let isNative = sites.channel(phase, y, dx, dy) == channel
    let base = work.row(isNative ? Self.mosaicPlane : plane(candidate, channel), y, phase)
    return base.from(work.offset(phase, dx, dy))
  }

  /// Candidate that interpolates along (`dx`, `dy`).
  func direction(_ dx: Int, _ dy: Int) -> Int {
    if dy == 0 { return 0 }
    if dx == 0 { return 1 }
    return dx * dy > 0 ? 2 : 3
  }
}

// MARK: - Step 1: green

/// Green at red and blue photosites.
///
/// With u the vector to the solitary green and v perpendicular to it, the six nearest greens are
/// ±v, u, −2u and −u ± v.
extension XTransDemosaic {
  /// Weights of step 1, rounded from whole 256ths; in flat areas those of each candidate sum to 1.
  private enum Weight {
    /// Along v: each green at ±v, minus this much of those at ±2v.
    static let green: Float = 0.6797
    static let ownColor: Float = 0.1797
    /// Along u: the near and the far green.
    static let near: Float = 0.8711
    static let far: Float = 0.1289
    /// Along u: the difference of the own color.
    static let slope: Float = 0.3594
    /// Along a diagonal: the near and the far green, and the second difference of the own color.
    static let diagonalNear: Float = 0.6406
    static let diagonalFar: Float = 0.3594
    static let curvature: Float = 0.1289
  }

  /// Step 1: along v from four greens, along u from a near and a far one with the slope of the own
  /// color, along the diagonals with its curvature; clamped to the range of the six.
  private func greenCandidates(_ work: PolyphasePlanes, _ y: Int, _ phase: Int) {
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

    init(_ work: PolyphasePlanes, _ phase: Int, _ dx: Int, _ dy: Int) {
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

  /// Later passes: green as the own color plus the color difference at the two greens of the line,
  /// two to one. Along v, where no green has the difference, the first candidate stays.
  private func refineGreen(
    _ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int, from previous: Int
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

// MARK: - Steps 2 to 4: red and blue

/// Red and blue of each candidate: green plus a mean of color differences, never below zero.
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
    _ work: PolyphasePlanes, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int,
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
  private func chromaAtSolitary(_ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
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
  private func oppositeChroma(_ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
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

  /// Step 4: red and blue of greens at the corners of a block, from the two nearest photosites of
  /// the line that are not corners: one step inward and two outward, weighted two to one, or one
  /// step on both sides.
  private func chromaAtCorner(_ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
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
