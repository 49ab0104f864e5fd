import CKernels
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
        ck_loadPhase(
          scale.kernel, source.start, Int64(shift + phase), Int64(mosaic.rect.width),
          work.row(Self.mosaicPlane, y, phase).start, Int64(work.count))
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
  /// Step 1: along v from four greens, along u from a near and a far one with the slope of the own
  /// color, along the diagonals with its curvature; clamped to the range of the six.
  private func greenCandidates(_ work: PolyphasePlanes, _ y: Int, _ phase: Int) {
    guard case .chroma(_, let ux, let uy) = sites.site(phase, y) else { return }
    let (vx, vy) = (uy, ux)
    let (ax, ay, bx, by) = (vx - ux, vy - uy, -vx - ux, -vy - uy)
    func offset(_ dx: Int, _ dy: Int) -> Int64 { Int64(work.offset(phase, dx, dy)) }
    func candidate(_ dx: Int, _ dy: Int) -> UnsafeMutablePointer<Float> {
      work.row(plane(direction(dx, dy), 1), y, phase).start
    }
    var lines = ck_greenLines(
      v1: offset(vx, vy), v2: offset(-vx, -vy), vv1: offset(2 * vx, 2 * vy),
      vv2: offset(-2 * vx, -2 * vy), near: offset(ux, uy), far: offset(-2 * ux, -2 * uy),
      beyond: offset(2 * ux, 2 * uy), a: diagonal(work, phase, ax, ay),
      b: diagonal(work, phase, bx, by), alongV: candidate(vx, vy), alongU: candidate(ux, uy),
      alongA: candidate(ax, ay), alongB: candidate(bx, by))
    ck_greenCandidates(&lines, work.row(Self.mosaicPlane, y, phase).start, Int64(work.count))
  }

  /// The offsets of a diagonal candidate along h: a green at h and one at −2h, and the own color
  /// at ±3h.
  private func diagonal(
    _ work: PolyphasePlanes, _ phase: Int, _ dx: Int, _ dy: Int
  ) -> ck_diagonal {
    func offset(_ times: Int) -> Int64 { Int64(work.offset(phase, times * dx, times * dy)) }
    return ck_diagonal(
      near: offset(1), far: offset(-2), ownAhead: offset(3), ownBehind: offset(-3))
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
    func offset(_ dx: Int, _ dy: Int) -> Int64 { Int64(work.offset(phase, dx, dy)) }
    func chroma(_ dx: Int, _ dy: Int) -> UnsafeMutablePointer<Float> {
      samples(work, previous, channel, y, phase, dx, dy).start
    }
    var refinement = ck_refinement(
      near: offset(hx, hy), far: offset(-2 * hx, -2 * hy), nearChroma: chroma(hx, hy),
      farChroma: chroma(-2 * hx, -2 * hy),
      greens: (
        offset(vx, vy), offset(-vx, -vy), offset(ux, uy), offset(-2 * ux, -2 * uy),
        offset(vx - ux, vy - uy), offset(-vx - ux, -vy - uy)
      ))
    ck_refineGreen(
      &refinement, work.row(Self.mosaicPlane, y, phase).start,
      work.row(plane(candidate, 1), y, phase).start, Int64(work.count))
  }
}

// MARK: - Steps 2 to 4: red and blue

/// Red and blue of each candidate: green plus a mean of color differences, never below zero.
extension XTransDemosaic {
  /// Samples of a color and of green on both sides of a photosite.
  private func pair(
    _ work: PolyphasePlanes, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int,
    _ a: (Int, Int), _ b: (Int, Int)
  ) -> ck_colorPair {
    ck_colorPair(
      colorA: samples(work, candidate, channel, y, phase, a.0, a.1).start,
      colorB: samples(work, candidate, channel, y, phase, b.0, b.1).start,
      greenA: samples(work, candidate, 1, y, phase, a.0, a.1).start,
      greenB: samples(work, candidate, 1, y, phase, b.0, b.1).start)
  }

  /// Step 2: a solitary green has one color beside it and the other two away, on both axes. The
  /// first two candidates take their own axis; the diagonal ones that on which color difference
  /// and green vary less.
  private func chromaAtSolitary(_ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
    guard case .solitary(let horizontal) = sites.site(phase, y) else { return }
    let vertical = 2 - horizontal
    var site = ck_solitary(
      rowNear: pair(work, candidate, horizontal, y, phase, (1, 0), (-1, 0)),
      rowFar: pair(work, candidate, vertical, y, phase, (2, 0), (-2, 0)),
      columnNear: pair(work, candidate, vertical, y, phase, (0, 1), (0, -1)),
      columnFar: pair(work, candidate, horizontal, y, phase, (0, 2), (0, -2)),
      horizontal: work.row(plane(candidate, horizontal), y, phase).start,
      vertical: work.row(plane(candidate, vertical), y, phase).start)
    ck_chromaAtSolitary(
      &site, Int64(min(candidate & 3, 2)), work.row(Self.mosaicPlane, y, phase).start,
      Int64(work.count))
  }

  /// Step 3: blue at red and red at blue, from the solitary green and the other color on the line
  /// u; the candidate across it takes the other color three away on both sides, unless green
  /// changes at least twice as much on the way.
  private func oppositeChroma(_ work: PolyphasePlanes, _ y: Int, _ phase: Int, _ candidate: Int) {
    guard case .chroma(let own, let ux, let uy) = sites.site(phase, y) else { return }
    let (vx, vy) = (uy, ux)
    let channel = 2 - own
    var close = pair(work, candidate, channel, y, phase, (ux, uy), (-ux, -uy))
    let green = work.row(plane(candidate, 1), y, phase).start
    let out = work.row(plane(candidate, channel), y, phase).start
    if direction(vx, vy) == candidate & 3 {
      var wide = pair(work, candidate, channel, y, phase, (3 * vx, 3 * vy), (-3 * vx, -3 * vy))
      ck_oppositeChroma(&close, &wide, green, out, Int64(work.count))
    } else {
      ck_oppositeChroma(&close, nil, green, out, Int64(work.count))
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
    let green = work.row(Self.mosaicPlane, y, phase).start
    for channel in [0, 2] {
      var pair = pair(work, candidate, channel, y, phase, near, far)
      ck_chromaAtCorner(
        &pair, nearWeight, farWeight, green, work.row(plane(candidate, channel), y, phase).start,
        Int64(work.count))
    }
  }
}
