import CKernels
import ImageCore
import RawData

/// Full color from Fujifilm's X-Trans mosaic.
///
/// Source: Frank Markesteijn's algorithm (2013), from its description: interpolate once along each
/// of four directions, (1) green, (2–4) red and blue, then take at each pixel the mean of the
/// candidates whose surroundings are most homogeneous (``addChoice(_:_:)``). Three passes
/// interpolate green a second and third time from the color differences of the first; their
/// candidates compete too: 0.0 to 0.15 dB for three times the time. Domain: non-negative values,
/// ideally square roots of balanced values. Reach: 12 photosites, 26 with three passes. The
/// candidates: 0 along the row, 1 along the column, 2 falling to the right, 3 rising.
///
/// Every step runs down the picture some rows behind the one before it, so that ``XTransRows`` stay
/// in the cache. Known failures: color blotches in fine texture near the limit of resolution.
struct XTransDemosaic: Demosaic {
  let sites: XTransSites
  let scale: DemosaicScale
  let passes: Int
  let keepsRows = true

  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod? {
    guard XTransSites(cfa) != nil else { return nil }
    return asked == .best ? .best : .fast
  }

  init?(_ settings: DemosaicSettings) {
    guard let sites = XTransSites(settings.cfa) else { return nil }
    self.sites = sites
    scale = settings.scale
    passes = settings.method == .best ? 3 : 1
  }

  var reach: Int { passes > 1 ? 26 : 12 }
  var candidates: Int { passes > 1 ? 8 : 4 }

  /// The columns that are computed for `rect`: complete patterns.
  private func columns(_ rect: PixelRect) -> Range<Int> {
    let x = rect.x - reach - floorModulo(rect.x - reach, XTransRows.period)
    let count = (rect.endX + reach - x + XTransRows.period - 1) / XTransRows.period
    return x..<x + count * XTransRows.period
  }

  func workspace(for rect: PixelRect, last: XTransRows?) throws(PixelError) -> XTransRows {
    let width = columns(rect).count
    if let last, last.width == width { return last }
    // Complete patterns of rows, as many as all steps together reach.
    let patterns = (reach + XTransRows.period) / XTransRows.period
    let rows = try XTransRows(
      width: width, candidates: candidates, rows: patterns * XTransRows.period)
    // The inset of each step is the total reach of the steps before it.
    var inset = 3
    rows.addStep(inset, ck_greenCandidates) { greenLines(rows, $0, $1) }
    addChroma(rows, 0..<4, &inset)
    for pass in 1..<max(passes, 1) {
      inset += 2
      // The first refinement starts from the colors of the first candidates.
      rows.addStep(inset, ck_refineGreen) { y, phase in
        (4..<8).compactMap { refinement(rows, y, phase, $0, from: pass == 1 ? $0 - 4 : $0) }
      }
      addChroma(rows, 4..<8, &inset)
    }
    addChoice(rows, inset)
    return rows
  }

  /// Red and blue of candidates, given their green.
  private func addChroma(_ rows: XTransRows, _ candidates: Range<Int>, _ inset: inout Int) {
    rows.addStep(inset + 2, ck_chromaAtSolitary) { y, phase in
      candidates.compactMap { solitary(rows, y, phase, $0) }
    }
    rows.addStep(inset + 3, ck_oppositeChroma) { y, phase in
      candidates.compactMap { opposite(rows, y, phase, $0) }
    }
    rows.addStep(inset + 5, ck_chromaAtCorner) { y, phase in
      candidates.flatMap { corners(rows, y, phase, $0) }
    }
    inset += 5
  }

  /// Samples beside the input, in rows padded to complete patterns, affect no pixel.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ rows: XTransRows, continues: Bool
  ) {
    let read = input(rect, continues: continues)
    let first = rect.y - reach - (continues ? 2 * reach : 0)
    let x = columns(rect).lowerBound
    for newest in read.y..<read.endY {
      rows.split(mosaic.row(newest).from(x - mosaic.rect.x), newest, scale.kernel)
      for step in rows.steps where newest - first >= 2 * step.inset {
        step.make(floorModulo(newest - step.inset, rows.pixels.rows))
      }
      let y = newest - reach
      guard newest - first >= 2 * reach else { continue }
      for channel in 0..<3 {
        buffer.row(channel, y - origin.y).from(rect.x - origin.x).start.update(
          from: rows.joined(channel) + (rect.x - x), count: rect.width)
      }
    }
  }

  /// The plane of a channel of a candidate in the pixels; the first is the mosaic.
  private func plane(_ candidate: Int, _ channel: Int) -> Int { 1 + 3 * candidate + channel }

  /// The offset of `channel` of a candidate, (`dx`, `dy`) from the samples of a phase: in the
  /// mosaic if the filter is that channel's.
  func offset(
    _ rows: XTransRows, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int, _ dx: Int = 0,
    _ dy: Int = 0
  ) -> ck_offset {
    if sites.channel(phase, y, dx, dy) == channel {
      return rows.offset(rows.pixels, 0, y, phase, dx, dy)
    }
    var candidate = candidate
    if channel == 1, candidate >= 4,
      case .chroma(_, let ux, let uy) = sites.site(floorModulo(phase + dx, 6), y + dy),
      direction(uy, ux) == candidate - 4
    {
      // Not refined.
      candidate -= 4
    }
    return rows.offset(rows.pixels, plane(candidate, channel), y, phase, dx, dy)
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
  private func greenLines(_ rows: XTransRows, _ y: Int, _ phase: Int) -> [ck_greenLines] {
    guard case .chroma(_, let ux, let uy) = sites.site(phase, y) else { return [] }
    let (vx, vy) = (uy, ux)
    func mosaic(_ dx: Int, _ dy: Int) -> ck_offset {
      rows.offset(rows.pixels, 0, y, phase, dx, dy)
    }
    func candidate(_ dx: Int, _ dy: Int) -> ck_offset {
      rows.offset(rows.pixels, plane(direction(dx, dy), 1), y, phase)
    }
    /// Along h: a green at h and one at −2h, and the own color at ±3h.
    func diagonal(_ hx: Int, _ hy: Int) -> ck_diagonal {
      ck_diagonal(
        near: mosaic(hx, hy), far: mosaic(-2 * hx, -2 * hy), ownAhead: mosaic(3 * hx, 3 * hy),
        ownBehind: mosaic(-3 * hx, -3 * hy), out: candidate(hx, hy))
    }
    return [
      ck_greenLines(
        own: mosaic(0, 0), v1: mosaic(vx, vy), v2: mosaic(-vx, -vy),
        vv1: mosaic(2 * vx, 2 * vy), vv2: mosaic(-2 * vx, -2 * vy), near: mosaic(ux, uy),
        far: mosaic(-2 * ux, -2 * uy), beyond: mosaic(2 * ux, 2 * uy),
        alongV: candidate(vx, vy), alongU: candidate(ux, uy), a: diagonal(vx - ux, vy - uy),
        b: diagonal(-vx - ux, -vy - uy))
    ]
  }

  /// Later passes: green as the own color plus the color difference at the two greens of the line,
  /// two to one. Along v, where no green has the difference, the first candidate stays.
  private func refinement(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int, from previous: Int
  ) -> ck_refinement? {
    guard case .chroma(let channel, let ux, let uy) = sites.site(phase, y) else { return nil }
    let (vx, vy) = (uy, ux)
    let lines = [(ux, uy), (vx - ux, vy - uy), (-vx - ux, -vy - uy)]
    guard let (hx, hy) = lines.first(where: { direction($0.0, $0.1) == candidate - 4 }) else {
      return nil
    }
    func mosaic(_ dx: Int, _ dy: Int) -> ck_offset {
      rows.offset(rows.pixels, 0, y, phase, dx, dy)
    }
    func chroma(_ dx: Int, _ dy: Int) -> ck_offset {
      offset(rows, previous, channel, y, phase, dx, dy)
    }
    return ck_refinement(
      own: mosaic(0, 0), near: mosaic(hx, hy), far: mosaic(-2 * hx, -2 * hy),
      nearChroma: chroma(hx, hy), farChroma: chroma(-2 * hx, -2 * hy),
      greens: (
        mosaic(vx, vy), mosaic(-vx, -vy), mosaic(ux, uy), mosaic(-2 * ux, -2 * uy),
        mosaic(vx - ux, vy - uy), mosaic(-vx - ux, -vy - uy)
      ), out: rows.offset(rows.pixels, plane(candidate, 1), y, phase))
  }
}

// MARK: - Steps 2 to 4: red and blue

/// Red and blue of each candidate: green plus a mean of color differences, never below zero.
extension XTransDemosaic {
  /// A color and green on both sides of a photosite.
  private func pair(
    _ rows: XTransRows, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int,
    _ a: (Int, Int), _ b: (Int, Int)
  ) -> ck_colorPair {
    ck_colorPair(
      colorA: offset(rows, candidate, channel, y, phase, a.0, a.1),
      colorB: offset(rows, candidate, channel, y, phase, b.0, b.1),
      greenA: offset(rows, candidate, 1, y, phase, a.0, a.1),
      greenB: offset(rows, candidate, 1, y, phase, b.0, b.1))
  }

  /// Step 2: a solitary green has one color beside it and the other two away, on both axes. The
  /// first two candidates take their own axis; the diagonal ones that on which color difference
  /// and green vary less.
  private func solitary(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int
  ) -> ck_solitary? {
    guard case .solitary(let horizontal) = sites.site(phase, y) else { return nil }
    let vertical = 2 - horizontal
    return ck_solitary(
      rowNear: pair(rows, candidate, horizontal, y, phase, (1, 0), (-1, 0)),
      rowFar: pair(rows, candidate, vertical, y, phase, (2, 0), (-2, 0)),
      columnNear: pair(rows, candidate, vertical, y, phase, (0, 1), (0, -1)),
      columnFar: pair(rows, candidate, horizontal, y, phase, (0, 2), (0, -2)),
      green: offset(rows, candidate, 1, y, phase),
      horizontal: offset(rows, candidate, horizontal, y, phase),
      vertical: offset(rows, candidate, vertical, y, phase), axis: Int32(min(candidate & 3, 2)))
  }

  /// Step 3: blue at red and red at blue, from the solitary green and the other color on the line
  /// u; the candidate across it takes the other color three away on both sides, unless green
  /// changes at least twice as much on the way.
  private func opposite(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int
  ) -> ck_opposite? {
    guard case .chroma(let own, let ux, let uy) = sites.site(phase, y) else { return nil }
    let (vx, vy) = (uy, ux)
    let channel = 2 - own
    let close = pair(rows, candidate, channel, y, phase, (ux, uy), (-ux, -uy))
    let isWide = direction(vx, vy) == candidate & 3
    return ck_opposite(
      close: close,
      wide: isWide
        ? pair(rows, candidate, channel, y, phase, (3 * vx, 3 * vy), (-3 * vx, -3 * vy)) : close,
      green: offset(rows, candidate, 1, y, phase),
      out: offset(rows, candidate, channel, y, phase), isWide: isWide ? 1 : 0)
  }

  /// Step 4: red and blue of greens at the corners of a block, from the two nearest photosites of
  /// the line that are not corners: one step inward and two outward, weighted two to one, or one
  /// step on both sides.
  private func corners(
    _ rows: XTransRows, _ y: Int, _ phase: Int, _ candidate: Int
  ) -> [ck_corner] {
    guard case .corner(let ax, let ay) = sites.site(phase, y) else { return [] }
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
    return [0, 2].map { channel in
      ck_corner(
        pair: pair(rows, candidate, channel, y, phase, near, far), weightA: nearWeight,
        weightB: farWeight, green: offset(rows, candidate, 1, y, phase),
        out: offset(rows, candidate, channel, y, phase))
    }
  }
}
